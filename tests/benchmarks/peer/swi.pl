% SWI-Prolog's CLP(FD), asked term by term: q(Want, Variables, Values, Givens, Groups, Sums).
:- use_module(library(clpfd)).
:- use_module(library(solution_sequences)).

main :-
    format("ready~n"), flush_output,
    repeat,
    read(Question),
    (   Question == end_of_file -> halt
    ;   ask(Question), fail
    ).

ask(q(Want, N, D, Givens, Groups, Sums)) :-
    get_time(Began),
    length(X, N),
    X ins 1..D,
    Row =.. [x|X],
    maplist(given(Row), Givens),
    maplist(differ(Row), Groups),
    maplist(add_up(Row), Sums),
    get_time(Ready),
    run(Want, X, Count, Told),
    get_time(Ended),
    Setup is Ready - Began, Solving is Ended - Ready,
    flatten(Told, Values),
    atomic_list_concat([Setup, Solving, Count|Values], ' ', Line),
    format("~w~n", [Line]), flush_output.

given(Row, V-A) :- member_of(Row, V, A).

add_up(Row, T-Vs) :- maplist(member_of(Row), Vs, Ms), sum(Ms, #=, T).

member_of(Row, V, M) :- I is V + 1, arg(I, Row, M).

differ(Row, Group) :- maplist(moved(Row), Group, Ms), all_distinct(Ms).

moved(Row, V-0, M) :- !, member_of(Row, V, M).
moved(Row, V-More, M) :- member_of(Row, V, A), M #= A + More.

run(0, X, 1, [X]) :- once(labeling([ff], X)).
run(1, X, Count, [First]) :- findall(X, limit(2, labeling([ff], X)), Found), length(Found, Count), Found = [First|_].
run(2, X, Count, []) :- aggregate_all(count, labeling([ff], X), Count).
run(3, X, Count, Found) :- findall(X, labeling([ff], X), Found), length(Found, Count).

:- initialization(main).
