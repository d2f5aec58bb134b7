% GNU Prolog's finite domains, asked term by term: q(Want, Variables, Values, Givens, Groups, Sums).
main :-
    write(ready), nl, flush_output,
    repeat,
    read(Question),
    (   Question == end_of_file -> halt
    ;   ask(Question), fail
    ).

ask(q(Want, N, D, Givens, Groups, Sums)) :-
    real_time(Began),
    length(X, N),
    fd_set_vector_max(D),
    fd_domain(X, 1, D),
    row(X, Row),
    given(Givens, Row),
    groups(Groups, Row),
    sums(Sums, Row),
    real_time(Ready),
    run(Want, X, Count, Told),
    real_time(Ended),
    Setup is (Ready - Began) / 1000, Solving is (Ended - Ready) / 1000,
    write(Setup), write(' '), write(Solving), write(' '), write(Count),
    say(Told), nl, flush_output.

% A term has no more than 255 arguments here, so a row is a term of terms of 200.
row(X, Row) :- parts(X, Parts), Row =.. [row|Parts].

parts([], []) :- !.
parts(X, [Part|Parts]) :- first(200, X, Some, Rest), Part =.. [part|Some], parts(Rest, Parts).

first(0, X, [], X) :- !.
first(_, [], [], []) :- !.
first(N, [A|X], [A|Some], Rest) :- M is N - 1, first(M, X, Some, Rest).

at(V, Row, A) :- P is V // 200 + 1, I is V mod 200 + 1, arg(P, Row, Part), arg(I, Part, A).

say([]).
say([X|Xs]) :- values(X), say(Xs).

values([]).
values([A|As]) :- write(' '), write(A), values(As).

given([], _).
given([V-A|Rest], Row) :- at(V, Row, A), given(Rest, Row).

groups([], _).
groups([Group|Rest], Row) :- members(Group, Row, Ms), differ(Group, Ms), groups(Rest, Row).

differ(Group, Ms) :- plain(Group), !, fd_all_different(Ms).
differ(Group, Ms) :- apart(Group, Ms).

plain([]).
plain([_-0|Rest]) :- plain(Rest).

apart([], []).
apart([_-More|Rest], [M|Ms]) :- apart(Rest, Ms, More, M), apart(Rest, Ms).

apart([], [], _, _).
apart([_-Other|Rest], [B|Bs], More, A) :-
    (   Other >= More -> K is Other - More, A #\= B + K
    ;   K is More - Other, A + K #\= B
    ),
    apart(Rest, Bs, More, A).

members([], _, []).
members([V-_|Rest], Row, [A|Ms]) :- at(V, Row, A), members(Rest, Row, Ms).

sums([], _).
sums([Total-Vs|Rest], Row) :- added(Vs, Row, E), E #=# Total, sums(Rest, Row).

added([V], Row, A) :- !, at(V, Row, A).
added([V|Vs], Row, A + E) :- at(V, Row, A), added(Vs, Row, E).

run(0, X, 1, [X]) :- fd_labelingff(X), !.
run(1, X, Count, [First]) :-
    g_assign(count, 0),
    (   fd_labelingff(X), g_inc(count, C), note(C, X), C >= 2 -> true ; true ),
    g_read(count, Count), g_read(first, First).
run(2, X, Count, []) :-
    g_assign(count, 0),
    (   fd_labelingff(X), g_inc(count), fail ; true ),
    g_read(count, Count).
run(3, X, Count, Found) :- findall(X, fd_labelingff(X), Found), length(Found, Count).

note(1, X) :- !, g_assign(first, X).
note(_, _).

:- initialization(main).
