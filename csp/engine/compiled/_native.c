/* The kernel in machine code: wide.py and depth_first.py once more, for states without filters and without a trail.

   A state is the same wide integer, here as 64-bit words, the lowest first. The same two subtractions find every empty
   line and every line with a single candidate. What differs is how a candidate is fixed: whatever shares a line or a
   class with it and is live goes, so that nothing has to be made before the first sweep; the search below a small state has masks.

   What follows has the order and the names of wide.py: sweep, restrict, empty, smallest; then the search. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _MSC_VER
#include <intrin.h>
static int lowest(uint64_t word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
#else
#define lowest(word) __builtin_ctzll(word)
#endif

/* The search is made twice, with and without the instruction that counts bits; the loader takes one. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__clang__)
#define FOR_EACH_PROCESSOR __attribute__((flatten, target_clones("popcnt", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

typedef uint64_t Word;
typedef uint32_t Bit;     /* the position of a bit, or a candidate by its bit in the line of its variable */
typedef struct { Bit start, stride, line, step; } Place;

#define NONE UINT32_MAX
#define SMALL 64          /* in states of so many words fixing a candidate is one pass over a mask */
#define WHOLE (1u << 31)  /* marks several bits of a word on the trail */
#define IDLE (1u << 30)   /* added to the size of a line that does not wait or is not acted upon */
#define STRIPPED 8        /* so many candidates are stripped off all lines before those that are left are counted */
#define LOOK (1 << 21)    /* after so many words limits and signals are looked at, which is some milliseconds */

/* ---- integers: gmpy2's mpz, whose words are read and written in place; probe() tells whether they are as here ---- */

typedef struct { PyObject_HEAD int room, size; Word *words; } Mpz;

static PyObject *top(size_t words)  /* an integer that has so many words */
{
    PyObject *module = PyImport_ImportModule("gmpy2"), *made = NULL;
    if (module) made = PyObject_CallMethod(module, "bit_mask", "n", (Py_ssize_t)(64 * words));
    Py_XDECREF(module);
    return made;
}

static PyObject *made(PyObject *like, const Word *from, size_t words)  /* the integer of some words */
{
    Mpz *new = (Mpz *)PyNumber_Or(like, like);
    if (!new) return NULL;
    memcpy(new->words, from, words * sizeof(Word));
    while (words && !from[words - 1]) words--;
    new->size = (int)words;
    return (PyObject *)new;
}

static int read_into(PyTypeObject *type, PyObject *from, Word *into, size_t words)
{
    const Mpz *integer = (Mpz *)from;
    if (Py_TYPE(from) != type || integer->size < 0 || (size_t)integer->size > words) {
        PyErr_SetString(PyExc_ValueError, "not a state of this kernel");
        return -1;
    }
    memcpy(into, integer->words, integer->size * sizeof(Word));
    memset(into + integer->size, 0, (words - integer->size) * sizeof(Word));
    return 0;
}

static PyObject *probe(PyObject *module, PyObject *unused)
{
    static const Word pattern[3] = {0x0123456789abcdef, 0xfedcba9876543210, 0x42};
    PyObject *like = top(3), *wrote = NULL, *text = NULL;
    int same = 0;
    if (like && ((Mpz *)like)->size == 3 && ((Mpz *)like)->room >= 3 && PyObject_IsTrue(like)) {
        wrote = made(like, pattern, 3);
        text = wrote ? PyObject_CallMethod(wrote, "digits", "i", 16) : NULL;
        same = text && wrote != like && !PyUnicode_CompareWithASCIIString(text, "42fedcba98765432100123456789abcdef");
    }
    Py_XDECREF(like); Py_XDECREF(wrote); Py_XDECREF(text);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(same);
}

/* ---- the layout ---- */

typedef struct {
    PyObject_HEAD
    PyObject *like;                 /* an integer as wide as a state */
    size_t length, words, lines, candidates;
    Word *guards, *ones, *acting;
    Bit *begin;                     /* of every line its lowest bit, and of one more behind; the guard is below that */
    Bit *first_line;                /* of every word the line that its lowest bit is in */
    Bit *rows, *firsts, *owners;    /* of every line where its candidates are among the firsts, and what is added; whose */
    Bit *places_from;               /* of every variable its places: value i has a bit at start + i*stride, */
    Place *places;                  /* in the line with the number line + i*step */
    Bit *spelt_from, *spelt;        /* of every candidate the bits that it has besides, if any has */
    Bit *classes_from, *classes;    /* of every candidate the classes that have it */
    Bit *members_from, *members;    /* of every class its candidates: at most one of them holds */
    Word *keep;                     /* of every candidate what may stay when it is fixed; of small states alone */
} Kernel;


static inline Bit count_bits(Word word)  /* sideways, which compilers know to be an instruction where there is one */
{
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    return (Bit)(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

static inline int is_set(const Word *state, Bit bit) { return state[bit >> 6] >> (bit & 63) & 1; }

static inline Bit line_of(const Kernel *kernel, Bit bit)
{
    return kernel->first_line[bit >> 6] + count_bits(kernel->guards[bit >> 6] & (((Word)1 << (bit & 63)) - 1));
}

static inline Bit guard_of(const Kernel *kernel, Bit line) { return kernel->begin[line + 1] - 1; }

/* How many candidates every line of a large state has, and what has gone, so that a search takes it back. With them a
   node costs what it changes; without, as much as the state is wide. */
typedef struct {
    Bit *size, *trail;              /* of every line; the candidates that have been dropped, or several in a word: two */
                                    /* halves, which word; and the guards of settled lines */
    Word *fresh, *single;           /* of every line a bit: it has come down to one candidate; those of this sweep */
    size_t cleared;                 /* how long the trail is */
    Bit waiting, empty;             /* how many lines are so */
} Counts;

static inline void clear(Word *state, Bit bit) { state[bit >> 6] &= ~((Word)1 << (bit & 63)); }
static inline void set(Word *state, Bit bit) { state[bit >> 6] |= (Word)1 << (bit & 63); }

/* Every bit of a candidate, with its line: a statement that says what becomes of it. */
#define FOR_ITS_BITS(kernel, variable, candidate, statement) do {                                                  \
    const Bit value = (candidate) - (kernel)->begin[variable];                                                     \
    const Place *place = (kernel)->places + (kernel)->places_from[variable];                                       \
    for (const Place *end = (kernel)->places + (kernel)->places_from[(variable) + 1]; place < end; place++) {      \
        const Bit bit = place->start + value * place->stride, line = place->line + value * place->step;            \
        statement;                                                                                                 \
    }                                                                                                              \
    if ((kernel)->spelt_from)                                                                                      \
        for (Bit i = (kernel)->spelt_from[candidate]; i < (kernel)->spelt_from[(candidate) + 1]; i++) {            \
            const Bit bit = (kernel)->spelt[i], line = line_of(kernel, bit);                                       \
            statement;                                                                                             \
        }                                                                                                          \
} while (0)

static void take_back(const Kernel *kernel, Counts *counts, Word *state, size_t cleared)  /* all behind so much */
{
    while (counts->cleared > cleared) {
        const Bit gone = counts->trail[--counts->cleared], own = gone & WHOLE ? NONE : line_of(kernel, gone);
        if (own == NONE) {
            const Bit word = gone & ~WHOLE;
            counts->cleared -= 2;
            const Word bits = counts->trail[counts->cleared] | (Word)counts->trail[counts->cleared + 1] << 32;
            state[word] |= bits;
            counts->size[line_of(kernel, (word << 6) + lowest(bits))] += count_bits(bits);
        } else if (is_set(kernel->guards, gone)) {
            set(state, gone);
            counts->waiting++, counts->size[own] &= is_set(kernel->acting, gone) ? ~IDLE : NONE;
        } else
            FOR_ITS_BITS(kernel, own, gone, (set(state, bit), counts->empty -= !(counts->size[line]++ & ~IDLE)));
    }
}

static inline Bit next_bit(const Word *state, Bit bit, Bit end)  /* the lowest bit from one on; end or more if none */
{
    while (bit < end) {
        Word word = state[bit >> 6] >> (bit & 63);
        if (word) return bit + lowest(word);
        bit = (bit | 63) + 1;
    }
    return end;
}

static inline Word subtract(Word from, Word what, Word *borrow)  /* what has not all bits set, as guards are none of it */
{
    what += *borrow;
    *borrow = from < what;
    return from - what;
}

static inline int waits(const Kernel *kernel, const Word *state, const Word *but)  /* whether some line waits */
{
    for (size_t i = 0; i < kernel->words; i++)
        if (state[i] & kernel->guards[i] & ~(but ? but[i] : 0)) return 1;
    return 0;
}

/* What has been spent, and when to look at the limits: look() returns -1 with an exception where the work must end. */
typedef struct Work {
    uint64_t sweeps, fixes, nodes, failures, restarts, solutions, words, steps;  /* as Effort has them */
    uint64_t since;                 /* words read since it was looked */
    int (*look)(struct Work *);
} Work;

static inline int spend(Work *work, size_t words)
{
    work->since += words;
    if (work->since < LOOK) return 0;
    work->since = 0;
    return work->look(work);
}

/* ---- sweep, restrict, empty, smallest ---- */

static inline void count_off(Counts *counts, Bit line)
{
    const Bit left = --counts->size[line];
    if (left == 1) counts->fresh[line >> 6] |= (Word)1 << (line & 63);
    else if (!(left & ~IDLE)) counts->empty++;
}

/* A candidate goes, wherever it has a bit. */
static inline void drop(const Kernel *kernel, Counts *counts, Word *state, Bit variable, Bit candidate)
{
    if (!is_set(state, candidate)) return;
    if (counts) {
        counts->trail[counts->cleared++] = candidate;
        FOR_ITS_BITS(kernel, variable, candidate, (clear(state, bit), count_off(counts, line)));
    } else
        FOR_ITS_BITS(kernel, variable, candidate, ((void)line, clear(state, bit)));
}

/* Several candidates in a word go that have no other bits, as their line is settled. */
static inline void drop_word(const Kernel *kernel, Counts *counts, Word *state, Bit variable, Bit word, Word bits)
{
    if (counts && count_bits(bits) <= 3) {
        for (; bits; bits &= bits - 1) drop(kernel, counts, state, variable, (word << 6) + lowest(bits));
        return;
    }
    state[word] ^= bits;
    if (!counts) return;
    counts->trail[counts->cleared++] = (Bit)bits, counts->trail[counts->cleared++] = (Bit)(bits >> 32);
    counts->trail[counts->cleared++] = WHOLE | word;
    counts->size[variable] -= count_bits(bits);
}

static inline int is_alone(const Kernel *kernel, Bit variable)  /* whether its candidates have no other bits */
{
    const Bit *spelt = kernel->spelt_from;
    return kernel->places_from[variable + 1] - kernel->places_from[variable] == 1
           && !(spelt && spelt[kernel->begin[variable]] < spelt[guard_of(kernel, variable)]);
}

static inline void drop_others(const Kernel *kernel, Counts *counts, Word *state, Bit line, Bit place)  /* in its line */
{
    const Bit begin = kernel->begin[line], guard = guard_of(kernel, line), *row = kernel->rows + 2 * line;
    const int is_own = row[0] == NONE, is_word = is_own && is_alone(kernel, line);
    for (size_t i = begin >> 6; i <= guard >> 6; i++) {
        Word others = state[i];
        if (i == begin >> 6) others &= ~(Word)0 << (begin & 63);
        if (i == guard >> 6) others &= ~(~(Word)0 << (guard & 63));
        if (i == place >> 6) others &= ~((Word)1 << (place & 63));
        if (is_word && others) drop_word(kernel, counts, state, line, (Bit)i, others);
        for (; others && !is_word; others &= others - 1) {
            const Bit bit = (Bit)(i << 6) + lowest(others), member = row[0] + bit - begin;
            if (is_own) drop(kernel, counts, state, line, bit);
            else drop(kernel, counts, state, kernel->owners[member], kernel->firsts[member] + row[1]);
        }
    }
}

static void settle(const Kernel *kernel, Counts *counts, Word *state, Bit line, Bit place)  /* it waits no more */
{
    const Bit guard = guard_of(kernel, line);
    drop_others(kernel, counts, state, line, place);
    if (counts && is_set(state, guard)) {
        counts->trail[counts->cleared++] = guard;
        counts->size[line] |= IDLE, counts->waiting--;
    }
    clear(state, guard);
}

/* Fix a candidate: its lines wait no more, and what they and its classes have besides it goes. */
static void restrict_to(const Kernel *kernel, const Word *masks, Counts *counts, Word *state, Bit line, Bit bit)
{
    if (bit == guard_of(kernel, line)) {  /* it has just lost its last candidate, and the next sweep will report it */
        if (counts) {
            counts->trail[counts->cleared++] = bit;
            counts->size[line] |= IDLE, counts->waiting--;
        }
        clear(state, bit);
        return;
    }
    const Bit *row = kernel->rows + 2 * line, member = row[0] + bit - kernel->begin[line], is_own = row[0] == NONE;
    const Bit own = is_own ? bit : kernel->firsts[member] + row[1];
    if (masks) {
        const Word *restrict keep = masks + own * kernel->words;
        for (size_t i = 0; i < kernel->words; i++) state[i] &= keep[i];
        return;
    }
    const Bit variable = is_own ? line : kernel->owners[member];
    FOR_ITS_BITS(kernel, variable, own, settle(kernel, counts, state, line, bit));
    if (!kernel->classes_from) return;
    for (Bit i = kernel->classes_from[own]; i < kernel->classes_from[own + 1]; i++) {
        const Bit class = kernel->classes[i];
        for (Bit j = kernel->members_from[class]; j < kernel->members_from[class + 1]; j++) {
            const Bit other = kernel->members[j];
            if (other != own && is_set(state, other)) drop(kernel, counts, state, line_of(kernel, other), other);
        }
    }
}

/* The guards of the waiting lines without candidates; whether there are any. */
static int empty(const Kernel *kernel, const Word *state, Word *found)
{
    Word borrow = 0, any = 0;
    for (size_t i = 0; i < kernel->words; i++)
        any |= found[i] = (subtract(state[i], kernel->ones[i], &borrow) ^ state[i]) & kernel->guards[i];
    return any != 0;
}

/* Fix the single candidate of every line that has one, until none is left (1) or a line is empty (0, and the guards of
   such lines are found); -1 at a limit. */
static int sweep(const Kernel *kernel, const Word *masks, Word *state, Word *found, Work *work)
{
    const size_t words = kernel->words;
    const Word *guards = kernel->guards, *ones = kernel->ones, *acting = kernel->acting;
    for (;;) {
        Word borrow = 0, second = 0, lost = 0, single = 0;
        work->sweeps++;
        for (size_t i = 0; i < words; i++) {
            const Word own = state[i], less = subtract(own, ones[i], &borrow);
            lost |= (less ^ own) & guards[i];
            single |= found[i] = own & acting[i] & ~subtract((own & less) | guards[i], ones[i], &second);
        }
        if (lost) {
            empty(kernel, state, found);
            return 0;
        }
        if (!single) return 1;
        if (spend(work, words) < 0) return -1;
        for (size_t i = 0; i < words; i++)
            for (Word left = found[i]; left &= state[i]; left &= left - 1) {
                const Bit guard = (Bit)(i << 6) + lowest(left), line = line_of(kernel, guard);
                work->fixes++;
                restrict_to(kernel, masks, NULL, state, line, next_bit(state, kernel->begin[line], guard));
            }
    }
}

/* The same of a state that was at rest but for what has been counted since. */
static int sweep_counted(const Kernel *kernel, Counts *counts, Word *state, Word *found, Work *work)
{
    const size_t words = kernel->lines / 64 + 1;
    for (;;) {
        Word any = 0;
        work->sweeps++;
        if (counts->empty) {
            memset(counts->fresh, 0, words * sizeof(Word));
            empty(kernel, state, found);
            return 0;
        }
        for (size_t i = 0; i < words; i++) {
            Word single = counts->fresh[i];
            for (Word left = single; left; left &= left - 1)
                if (counts->size[(i << 6) + lowest(left)] != 1) single ^= left & -left;
            any |= counts->single[i] = single;
            counts->fresh[i] = 0;
        }
        if (!any) return 1;
        if (spend(work, words) < 0) return -1;
        for (size_t i = 0; i < words; i++)
            for (Word left = counts->single[i]; left; left &= left - 1) {
                const Bit line = (Bit)(i << 6) + lowest(left), guard = guard_of(kernel, line);
                if (!is_set(state, guard)) continue;
                work->fixes++;
                restrict_to(kernel, NULL, counts, state, line, next_bit(state, kernel->begin[line], guard));
            }
    }
}

static Bit size_of(const Word *state, Bit begin, Bit guard, Bit most)  /* counted no further than it matters */
{
    Bit count = 0;
    for (Bit bit = begin; bit < guard && count <= most; bit = (bit | 63) + 1) {
        Word word = state[bit >> 6] >> (bit & 63);
        if (guard - bit < 64) word &= ((Word)1 << (guard - bit)) - 1;
        count += count_bits(word);
    }
    return count;
}

/* The guards of the waiting lines with the fewest candidates: strips the lowest candidate off all lines until one is
   empty; where that takes long, counts. The hidden guards are taken not to wait. Needs room for a state. */
static void fewest(const Kernel *kernel, const Word *state, const Word *hidden, Word *found, Word *rest)
{
    const size_t words = kernel->words;
    const Word *guards = kernel->guards, *ones = kernel->ones, *acting = kernel->acting;
    Word first = 0, second = 0, third = 0, any = 0, fewer = 0;
    for (size_t i = 0; i < words; i++) {  /* at rest every line has two, and mostly one has no more */
        const Word waiting = state[i] & acting[i] & ~(hidden ? hidden[i] : 0);
        const Word once = state[i] & subtract(state[i] | guards[i], ones[i], &first);
        const Word less = subtract(once | guards[i], ones[i], &second), twice = once & less;
        fewer |= waiting & ~less;
        any |= found[i] = waiting & ~subtract(twice | guards[i], ones[i], &third);
        rest[i] = twice;
    }
    if (any && !fewer) return;
    if (fewer) memcpy(rest, state, words * sizeof(Word));
    for (int stripped = fewer ? 0 : 2; stripped <= STRIPPED; stripped++) {
        any = first = 0;
        for (size_t i = 0; i < words; i++) {
            const Word less = subtract(rest[i] | guards[i], ones[i], &first);
            any |= found[i] = state[i] & acting[i] & ~(hidden ? hidden[i] : 0) & ~less;
            rest[i] &= less;
        }
        if (any) return;
    }
    Bit least = NONE;
    for (Bit line = 0; line < kernel->lines; line++) {
        const Bit begin = kernel->begin[line], guard = kernel->begin[line + 1] - 1;
        if (!is_set(state, guard) || !is_set(kernel->acting, guard) || (hidden && is_set(hidden, guard))) continue;
        const Bit count = size_of(state, begin, guard, least);
        if (count < least) {
            memset(found, 0, words * sizeof(Word));
            least = count;
        }
        if (count == least) found[guard >> 6] |= (Word)1 << (guard & 63);
    }
}

/* ---- Python's generator of random numbers, so that alternatives are shuffled as random.Random(seed) does it ---- */

typedef struct { uint32_t state[624]; int next; } Random;

static void seeded(Random *random, uint32_t seed)
{
    uint32_t *state = random->state, i, j = 0;
    state[0] = 19650218u;
    for (i = 1; i < 624; i++) state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
    for (i = 1, j = 624; j; j--) {
        state[i] = (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1664525u) + seed;
        if (++i == 624) { state[0] = state[623]; i = 1; }
    }
    for (j = 623; j; j--) {
        state[i] = (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1566083941u) - i;
        if (++i == 624) { state[0] = state[623]; i = 1; }
    }
    state[0] = 0x80000000u;
    random->next = 624;
}

static uint32_t drawn(Random *random)
{
    uint32_t *state = random->state, word;
    if (random->next == 624) {
        for (int i = 0; i < 624; i++) {
            word = (state[i] & 0x80000000u) | (state[(i + 1) % 624] & 0x7fffffffu);
            state[i] = state[(i + 397) % 624] ^ word >> 1 ^ (word & 1 ? 0x9908b0dfu : 0);
        }
        random->next = 0;
    }
    word = state[random->next++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

static void shuffle(Random *random, Bit *items, Bit count)
{
    for (Bit last = count; last-- > 1;) {
        Bit digits = 0, chosen;
        while ((last + 1) >> digits) digits++;
        do chosen = drawn(random) >> (32 - digits); while (chosen > last);
        const Bit item = items[last];
        items[last] = items[chosen];
        items[chosen] = item;
    }
}

/* ---- depth_first.py: depth first, with an explicit stack of nodes ---- */

typedef struct {
    Word *state;        /* a copy; of a large state nothing but how much had been cleared */
    size_t cleared;
    uint32_t depth;
    size_t from, next;  /* its alternatives, and the one to be tried */
    double part;        /* of the run, that each of them is taken to be */
} Frame;

typedef struct {
    PyObject_HEAD
    Work work;
    Kernel *kernel;
    PyObject *budget, *effort, *shuffle, *is_new; /* shuffle may be None */
    PyObject *turn;                               /* tells until when it goes on, and what a solution adds */
    PyThreadState *thread;                        /* while it searches without the lock */
    Word *root, *state, *found, *rest, *hidden;
    const Word *masks;                            /* the kernel's, of small states */
    Counts *counts, own;                          /* of large states */
    uint64_t *weights;                            /* of every line */
    Frame *stack;
    Bit *chosen, *path;
    size_t frames, frames_room, alternatives, chosen_room, path_length, path_room;
    uint32_t depth, longest, run_length, run, in_order, deepest;  /* longest: of this run */
    uint64_t unit, per_sweep, per_work, per_node; /* of what an effort counts as work */
    uint64_t until;                               /* at so much work a turn is over */
    uint64_t most_nodes, failures, most_failures; /* the last two of this run */
    double part, closed;                          /* of the run: this node, and what is done */
    unsigned long long began;                     /* the work when the run began */
    int is_watched, is_running, is_shuffled;
    char has_found;
    enum { NEW, SOLVED, TURNED, OVER, FAILED } end;
    Random random;
} Search;

enum { STORED = 7, LOADED = 8 };
static const char *const COUNTERS[LOADED] = {
    "sweeps", "fixes", "nodes", "failures", "restarts", "solutions", "words", "steps"};
static PyObject *counters[LOADED], *turn_until, *turn_reward;

static uint64_t propagated(const Search *search)  /* the work of propagation and of the tree, as Effort has it */
{
    const Work *work = &search->work;
    return work->words / search->per_work + search->per_node * work->nodes + work->steps / 2;
}

static int load(Search *search)  /* what has been spent, by others too, and when the turn is over */
{
    uint64_t *counter = &search->work.sweeps;
    for (int i = 0; i < LOADED; i++) {
        PyObject *number = PyObject_GetAttr(search->effort, counters[i]);
        if (!number) return -1;
        counter[i] = PyLong_AsUnsignedLongLong(number);
        Py_DECREF(number);
    }
    PyObject *until = PyObject_GetAttr(search->turn, turn_until), *reward = PyObject_GetAttr(search->turn, turn_reward);
    if (until && reward) {
        search->until = until == Py_None ? UINT64_MAX : PyLong_AsUnsignedLongLong(until);
        const uint64_t least = search->end == SOLVED ? propagated(search) + PyLong_AsUnsignedLongLong(reward) : 0;
        if (search->until < least) search->until = least;
    }
    Py_XDECREF(until); Py_XDECREF(reward);
    return PyErr_Occurred() ? -1 : 0;
}

static int store(Search *search)
{
    const uint64_t *counter = &search->work.sweeps;
    for (int i = 0; i < STORED; i++) {
        PyObject *number = PyLong_FromUnsignedLongLong(counter[i]);
        const int failed = !number || PyObject_SetAttr(search->effort, counters[i], number) < 0;
        Py_XDECREF(number);
        if (failed) return -1;
    }
    return 0;
}

static int check(Search *search, const char *what)  /* whether a limit is reached, of time or of nodes */
{
    PyEval_RestoreThread(search->thread);
    PyObject *checked = store(search) < 0 ? NULL : PyObject_CallMethod(search->budget, what, NULL);
    const int failed = !checked || PyErr_CheckSignals() < 0;
    Py_XDECREF(checked);
    search->thread = PyEval_SaveThread();
    return failed ? -1 : 0;
}

static int too_deep(Search *search)
{
    PyEval_RestoreThread(search->thread);
    if (store(search) == 0) Py_XDECREF(PyObject_CallMethod(search->budget, "too_deep", "I", search->depth));
    search->thread = PyEval_SaveThread();
    return FAILED;
}

static int look(Work *work) { return check((Search *)((char *)work - offsetof(Search, work)), "check"); }

static int grow(void *array, size_t *room, size_t needed, size_t size)  /* makes room in an array, given by its place */
{
    if (needed <= *room) return 0;
    const size_t more = needed + *room + 16;
    void *new = realloc(*(void **)array, more * size);
    if (!new) return -1;
    memset((char *)new + *room * size, 0, (more - *room) * size);
    *(void **)array = new;
    *room = more;
    return 0;
}

static int out_of_memory(Search *search)
{
    PyEval_RestoreThread(search->thread);
    PyErr_NoMemory();
    search->thread = PyEval_SaveThread();
    return -1;
}

static void blame(Search *search)  /* add one to the weight of each of the lines that were found */
{
    for (size_t i = 0; i < search->kernel->words; i++)
        for (Word word = search->found[i]; word; word &= word - 1)
            search->weights[line_of(search->kernel, (Bit)(i << 6) + lowest(word))]++;
}

static int shuffle_outside(Search *search, Bit *items, size_t count)
{
    PyEval_RestoreThread(search->thread);
    PyObject *list = PyList_New(count), *done = NULL;
    for (size_t i = 0; list && i < count; i++) PyList_SetItem(list, i, PyLong_FromUnsignedLong(items[i]));
    if (list && !PyErr_Occurred()) done = PyObject_CallFunctionObjArgs(search->shuffle, list, NULL);
    for (size_t i = 0; done && i < count; i++) items[i] = (Bit)PyLong_AsUnsignedLong(PyList_GetItem(list, i));
    const int failed = !done || PyErr_Occurred();
    Py_XDECREF(list); Py_XDECREF(done);
    search->thread = PyEval_SaveThread();
    return failed ? -1 : 0;
}

static int is_new_outside(Search *search)
{
    PyEval_RestoreThread(search->thread);
    PyObject *state = made(search->kernel->like, search->state, search->kernel->words);
    PyObject *told = state ? PyObject_CallFunctionObjArgs(search->is_new, state, NULL) : NULL;
    const int is_new = told ? PyObject_IsTrue(told) : -1;
    Py_XDECREF(state); Py_XDECREF(told);
    search->thread = PyEval_SaveThread();
    return is_new;
}

/* Put the line to branch on upon the stack: the smallest, and among those the one that has failed most. */
static int choose(Search *search)
{
    const Kernel *kernel = search->kernel;
    const Word *hidden = !search->has_found || !waits(kernel, search->state, search->hidden) ? NULL : search->hidden;
    const size_t words = kernel->words, size = words * sizeof(Word);
    Bit line = NONE, least = IDLE;
    if (search->counts) {
        const Bit *size = search->counts->size;
        for (Bit one = 0; one < kernel->lines && least > 2; one++)  /* at rest no line has fewer than two */
            if (size[one] < least && !(hidden && is_set(hidden, kernel->begin[one + 1] - 1))) least = size[one];
        for (Bit one = 0; one < kernel->lines && least < IDLE; one++)
            if (size[one] == least && !(hidden && is_set(hidden, kernel->begin[one + 1] - 1))
                && (line == NONE || search->weights[one] > search->weights[line])) line = one;
    } else {
        fewest(kernel, search->state, hidden, search->found, search->rest);
        for (size_t i = 0; i < words; i++)
            for (Word word = search->found[i]; word; word &= word - 1) {
                const Bit one = line_of(kernel, (Bit)(i << 6) + lowest(word));
                if (line == NONE || search->weights[one] > search->weights[line]) line = one;
            }
    }
    if (line == NONE) return 0;  /* nothing that waits is acted upon */
    const Bit begin = kernel->begin[line], guard = kernel->begin[line + 1] - 1;
    const size_t from = search->alternatives;
    if (grow(&search->chosen, &search->chosen_room, from + (guard - begin), sizeof(Bit)) < 0
        || grow(&search->stack, &search->frames_room, search->frames + 1, sizeof(Frame)) < 0
        || grow(&search->path, &search->path_room, (size_t)search->depth + 1, sizeof(Bit)) < 0)
        return out_of_memory(search);
    for (Bit bit = next_bit(search->state, begin, guard); bit < guard; bit = next_bit(search->state, bit + 1, guard))
        search->chosen[search->alternatives++] = bit;
    Bit *items = search->chosen + from;
    const size_t count = search->alternatives - from;
    if (search->shuffle != Py_None && shuffle_outside(search, items, count) < 0) return -1;
    if (search->is_shuffled) shuffle(&search->random, items, (Bit)count);
    Frame *frame = search->stack + search->frames;
    if (search->counts) frame->cleared = search->counts->cleared;
    else if (!frame->state && !(frame->state = malloc(size))) return out_of_memory(search);
    else memcpy(frame->state, search->state, size);
    frame->depth = search->depth;
    frame->from = frame->next = from;
    frame->part = search->part / (double)count;
    search->frames++;
    return 0;
}

static void return_to(Search *search, const Frame *frame)  /* the state of a node; of none: the root */
{
    if (search->counts) take_back(search->kernel, search->counts, search->state, frame ? frame->cleared : 0);
    else memcpy(search->state, frame ? frame->state : search->root, search->kernel->words * sizeof(Word));
}

static void pop(Search *search) { search->alternatives = search->stack[--search->frames].from; }

static uint64_t luby(uint64_t number)
{
    uint64_t power = 1;
    while (power <= number) power <<= 1;
    return power - 1 == number ? power >> 1 : luby(number - (power >> 1) + 1);
}

static void begin(Search *search)  /* the next run */
{
    search->part = 1, search->closed = 0, search->began = propagated(search);
    return_to(search, NULL);
    search->frames = search->alternatives = search->path_length = search->depth = 0;
    search->failures = search->longest = 0;
    search->most_failures = search->run_length * luby(search->run + 1);
    search->is_shuffled = ++search->run > search->in_order;
    if (search->is_shuffled) seeded(&search->random, search->run);
}

FOR_EACH_PROCESSOR static int run(Search *search)
{
    const Kernel *kernel = search->kernel;
    Work *work = &search->work;
    if (search->end == SOLVED) goto solved;
    if (search->end == TURNED) goto turned;
    begin(search);
    for (;;) {
        if (search->counts ? search->counts->waiting : waits(kernel, search->state, NULL)) {
            if (search->depth > search->deepest) return too_deep(search);
            if (choose(search) < 0) return FAILED;
        } else {
            search->has_found = 1;
            search->closed += search->part;
            const int is_new = search->hidden ? is_new_outside(search) : 1;
            if (is_new < 0) return FAILED;
            if (is_new) {
                work->solutions++;
                return SOLVED;
            }
        solved:
            while (search->hidden && search->frames) {
                return_to(search, search->stack + search->frames - 1);
                if (waits(kernel, search->state, search->hidden)) break;
                pop(search);
            }
        }
        for (;;) {
            if (!search->frames) return OVER;
            if (propagated(search) >= search->until) return TURNED;
        turned:;
            Frame *frame = search->stack + search->frames - 1;
            if (work->nodes >= search->most_nodes && check(search, "check_node") < 0) return FAILED;
            if (spend(work, kernel->words) < 0) return FAILED;
            const Bit bit = search->chosen[frame->next++];
            search->depth = frame->depth;
            search->part = frame->part;
            search->path[search->depth] = bit;
            search->path_length = (size_t)search->depth + 1;
            work->nodes++;
            return_to(search, frame);
            if (frame->next == search->alternatives) pop(search);
            restrict_to(kernel, search->masks, search->counts, search->state, line_of(kernel, bit), bit);
            const uint64_t sweeps = work->sweeps, fixes = work->fixes;
            const int rests = search->counts
                                  ? sweep_counted(kernel, search->counts, search->state, search->found, work)
                                  : sweep(kernel, search->masks, search->state, search->found, work);
            work->words += (search->per_sweep * (work->sweeps - sweeps) + work->fixes - fixes) * search->unit;
            if (rests < 0) return FAILED;
            if (rests) {
                if (++search->depth > search->longest) search->longest = search->depth;
                break;
            }
            work->failures++;
            search->failures++;
            search->closed += search->part;
            blame(search);
            if (!search->has_found && search->failures >= search->most_failures
                && search->failures >= search->longest) {
                work->restarts++;
                begin(search);
                break;
            }
        }
    }
}

/* ---- what Python sees ---- */

static PyObject *Kernel_type, *Search_type;

static int is_free(const Search *search)  /* whether no other thread is within the search; else sets an exception */
{
    if (search->is_running) PyErr_SetString(PyExc_ValueError, "this search is being asked already");
    return !search->is_running;
}

static PyObject *Search_next(Search *search)
{
    if (!is_free(search)) return NULL;
    if (search->end > TURNED || load(search) < 0) return NULL;
    search->is_running = 1;
    if (search->is_watched) search->work.since = LOOK;  /* the solution before may have taken its time */
    search->thread = PyEval_SaveThread();
    search->end = run(search);
    PyEval_RestoreThread(search->thread);
    search->is_running = 0;
    if (search->end == FAILED || store(search) < 0) return NULL;
    if (search->end == TURNED) return Py_NewRef(Py_None);
    return search->end == SOLVED ? made(search->kernel->like, search->state, search->kernel->words) : NULL;
}

/* The decisions of its last node, and what is to be tried, with how many decisions before it. */
static PyObject *Search_left(Search *search, PyObject *unused)
{
    if (!is_free(search)) return NULL;
    const size_t length = search->path_length;
    PyObject *path = PyList_New(length), *open = PyList_New(0);
    for (size_t i = 0; path && i < length; i++) PyList_SetItem(path, i, PyLong_FromUnsignedLong(search->path[i]));
    for (size_t i = 0; open && i < search->frames; i++) {
        const Frame *frame = search->stack + i;
        const size_t end = i + 1 < search->frames ? frame[1].from : search->alternatives;
        for (size_t j = end; j-- > frame->next;) {
            PyObject *pair = Py_BuildValue("(II)", frame->depth, search->chosen[j]);
            if (!pair || PyList_Append(open, pair) < 0) { Py_XDECREF(pair); Py_CLEAR(open); break; }
            Py_DECREF(pair);
        }
    }
    if (path && open) return Py_BuildValue("(NN)", path, open);
    Py_XDECREF(path); Py_XDECREF(open);
    return NULL;
}

static void Search_dealloc(Search *search)
{
    PyTypeObject *type = Py_TYPE((PyObject *)search);
    for (size_t i = 0; i < search->frames_room; i++) free(search->stack[i].state);
    free(search->stack); free(search->chosen); free(search->path);
    free(search->root); free(search->weights); free(search->own.size); free(search->own.fresh);
    Py_XDECREF(search->budget); Py_XDECREF(search->effort); Py_XDECREF(search->turn);
    Py_XDECREF(search->shuffle); Py_XDECREF(search->is_new);
    Py_XDECREF((PyObject *)search->kernel);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(search);
    Py_DECREF(type);
}

static int read_state(const Kernel *kernel, PyObject *from, Word *into)
{
    return read_into(Py_TYPE(kernel->like), from, into, kernel->words);
}

/* The masks of a small state, made when there is first a search: what each candidate leaves where all is live. */
static int make_masks(Kernel *kernel)
{
    if (kernel->words > SMALL || kernel->keep) return 0;
    Word *keep = malloc(kernel->candidates * kernel->words * sizeof(Word) + 1);
    if (!keep) return -1;
    memset(keep, -1, kernel->candidates * kernel->words * sizeof(Word));
    for (Bit candidate = 0; candidate < kernel->candidates; candidate++)
        if (!is_set(kernel->guards, candidate))
            restrict_to(kernel, NULL, NULL, keep + candidate * kernel->words, line_of(kernel, candidate), candidate);
    kernel->keep = keep;
    return 0;
}

/* The sizes of the lines of a large state at rest. */
static int count_lines(const Kernel *kernel, const Word *state, Counts *counts)
{
    const size_t words = kernel->lines / 64 + 1;
    counts->size = malloc((2 * kernel->lines + kernel->candidates + 1) * sizeof(Bit));
    counts->fresh = calloc(2 * words, sizeof(Word));
    if (!counts->size || !counts->fresh) return -1;
    counts->trail = counts->size + kernel->lines, counts->single = counts->fresh + words;
    for (Bit line = 0; line < kernel->lines; line++) {
        const Bit guard = kernel->begin[line + 1] - 1, count = size_of(state, kernel->begin[line], guard, NONE - 64);
        const int is_waiting = is_set(state, guard);
        counts->size[line] = is_waiting && is_set(kernel->acting, guard) ? count : count | IDLE;
        counts->waiting += is_waiting, counts->empty += !count;
    }
    return 0;
}

static PyObject *Kernel_search(Kernel *kernel, PyObject *args)
{
    PyObject *root, *budget, *weights, *shuffle, *hidden, *is_new, *turn;
    unsigned long long nodes, deepest, unit, per_sweep, per_work, per_node;
    unsigned int run_length, in_order;
    int is_watched;
    if (!PyArg_ParseTuple(args, "OOO!OOOOpK(KII)(KKKK)", &root, &budget, &PyList_Type, &weights, &shuffle, &hidden,
                          &is_new, &turn, &is_watched, &nodes, &deepest, &run_length, &in_order, &unit, &per_sweep,
                          &per_work, &per_node)) return NULL;
    Search *search = (Search *)PyType_GenericAlloc((PyTypeObject *)Search_type, 0);
    if (!search) return NULL;
    search->kernel = (Kernel *)Py_NewRef((PyObject *)kernel);
    search->budget = Py_NewRef(budget);
    if (!(search->effort = PyObject_GetAttrString(budget, "effort"))) goto failed;
    search->shuffle = Py_NewRef(shuffle), search->is_new = Py_NewRef(is_new);
    search->turn = Py_NewRef(turn);
    search->most_nodes = nodes, search->run_length = run_length, search->is_watched = is_watched;
    search->unit = unit, search->per_sweep = per_sweep, search->per_work = per_work, search->per_node = per_node;
    search->in_order = in_order, search->deepest = deepest < NONE ? (uint32_t)deepest : NONE;
    search->work.look = look;
    const size_t words = kernel->words;
    search->root = calloc(5 * words + 1, sizeof(Word));
    search->weights = calloc(kernel->lines + 1, sizeof(uint64_t));
    if (!search->root || !search->weights || make_masks(kernel) < 0) {
        PyErr_NoMemory();
        goto failed;
    }
    search->masks = kernel->keep;
    if (!search->masks) search->deepest = NONE;  /* the trail of a large state takes back all decisions: none has a copy */
    search->state = search->root + words, search->found = search->state + words, search->rest = search->found + words;
    if (read_state(kernel, root, search->root) < 0) goto failed;
    if (!search->masks) {
        search->counts = &search->own;
        memcpy(search->state, search->root, words * sizeof(Word));
        if (count_lines(kernel, search->root, search->counts) < 0) {
            PyErr_NoMemory();
            goto failed;
        }
    }
    for (Py_ssize_t digit = 0; digit < PyList_Size(weights); digit++) {
        if (read_state(kernel, PyList_GetItem(weights, digit), search->found) < 0) goto failed;
        for (Bit line = 0; line < kernel->lines; line++)
            if (is_set(search->found, kernel->begin[line + 1] - 1)) search->weights[line] += (uint64_t)1 << digit;
    }
    if (hidden != Py_None) {
        search->hidden = search->rest + words;
        if (read_state(kernel, hidden, search->hidden) < 0) goto failed;
    }
    return (PyObject *)search;
failed:
    Py_DECREF((PyObject *)search);
    return NULL;
}

/* ---- one question to the kernel: the state that was given is copied ---- */

static Word *copied(const Kernel *kernel, PyObject *state, int rooms)  /* with room for so many states more */
{
    Word *own = malloc((rooms + 1) * kernel->words * sizeof(Word) + sizeof(Word));
    if (!own) PyErr_NoMemory();
    else if (read_state(kernel, state, own) < 0) {
        free(own);
        return NULL;
    }
    return own;
}

static int look_at_signals(Work *work) { return PyErr_CheckSignals(); }

FOR_EACH_PROCESSOR static PyObject *Kernel_sweep(Kernel *kernel, PyObject *state)  /* (holds, state or guards, sweeps, fixes) */
{
    PyObject *told = NULL;
    Word *own = copied(kernel, state, 1);
    if (!own) return NULL;
    Work work = {.look = look_at_signals};
    const int rests = sweep(kernel, kernel->keep, own, own + kernel->words, &work);
    if (rests >= 0) {
        PyObject *after = made(kernel->like, rests ? own : own + kernel->words, kernel->words);
        if (after) told = Py_BuildValue("(iNKK)", rests, after, work.sweeps, work.fixes);
    }
    free(own);
    return told;
}

static PyObject *Kernel_restrict(Kernel *kernel, PyObject *args)
{
    PyObject *state;
    unsigned int bit;
    if (!PyArg_ParseTuple(args, "OI", &state, &bit)) return NULL;
    if (bit >= kernel->length) return PyErr_Format(PyExc_IndexError, "there is no bit %u", bit);
    Word *own = copied(kernel, state, 0);
    if (!own) return NULL;
    restrict_to(kernel, kernel->keep, NULL, own, line_of(kernel, bit), bit);
    state = made(kernel->like, own, kernel->words);
    free(own);
    return state;
}

static int candidate_in(const Kernel *kernel, PyObject *list, Py_ssize_t index, Bit *candidate)
{
    const unsigned long number = PyLong_AsUnsignedLong(PyList_GetItem(list, index));
    if (PyErr_Occurred()) return -1;
    if (number >= kernel->candidates || is_set(kernel->guards, (Bit)number)) {
        PyErr_Format(PyExc_IndexError, "there is no candidate %lu", number);
        return -1;
    }
    *candidate = (Bit)number;
    return 0;
}

FOR_EACH_PROCESSOR static PyObject *edited(Kernel *kernel, PyObject *args, int is_narrowing)
{
    PyObject *state, *list, *after = NULL;
    if (!PyArg_ParseTuple(args, "OO!", &state, &PyList_Type, &list)) return NULL;
    Word *own = copied(kernel, state, 0);
    if (!own) return NULL;
    Bit candidate;
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        if (candidate_in(kernel, list, i, &candidate) < 0) goto done;
        if (is_narrowing) drop_others(kernel, NULL, own, line_of(kernel, candidate), candidate);
        else drop(kernel, NULL, own, line_of(kernel, candidate), candidate);
    }
    after = made(kernel->like, own, kernel->words);
done:
    free(own);
    return after;
}

static PyObject *Kernel_narrowed(Kernel *kernel, PyObject *args) { return edited(kernel, args, 1); }
static PyObject *Kernel_without(Kernel *kernel, PyObject *args) { return edited(kernel, args, 0); }

static PyObject *Kernel_pick(Kernel *kernel, PyObject *args)
{
    PyObject *state, *items, *keys, *into, *picked = NULL;
    if (!PyArg_ParseTuple(args, "OO!O!O!", &state, &PyList_Type, &items, &PyTuple_Type, &keys, &PyDict_Type, &into))
        return NULL;
    const size_t count = (size_t)PyTuple_Size(keys);
    if (count > kernel->lines) return PyErr_Format(PyExc_IndexError, "there are no %zu variables", count);
    Word *own = copied(kernel, state, 0);
    if (!own) return NULL;
    for (size_t i = 0; i < count; i++) {
        PyObject *item = PyList_GetItem(items, next_bit(own, kernel->begin[i], (Bit)kernel->length));
        if (!item || PyDict_SetItem(into, PyTuple_GetItem(keys, i), item) < 0) goto done;
    }
    picked = Py_NewRef(into);
done:
    free(own);
    return picked;
}

static PyObject *Kernel_empty(Kernel *kernel, PyObject *state)
{
    Word *own = copied(kernel, state, 1);
    if (!own) return NULL;
    empty(kernel, own, own + kernel->words);
    state = made(kernel->like, own + kernel->words, kernel->words);
    free(own);
    return state;
}

static PyObject *Kernel_fewest(Kernel *kernel, PyObject *state)
{
    Word *own = copied(kernel, state, 2);
    if (!own) return NULL;
    fewest(kernel, own, NULL, own + kernel->words, own + 2 * kernel->words);
    state = made(kernel->like, own + kernel->words, kernel->words);
    free(own);
    return state;
}

static void Kernel_dealloc(Kernel *kernel)
{
    PyTypeObject *type = Py_TYPE((PyObject *)kernel);
    free(kernel->guards); free(kernel->begin); free(kernel->first_line); free(kernel->rows); free(kernel->firsts);
    free(kernel->places_from); free(kernel->spelt_from); free(kernel->classes_from); free(kernel->members_from);
    free(kernel->owners);
    free(kernel->places); free(kernel->spelt); free(kernel->classes); free(kernel->members); free(kernel->keep);
    Py_XDECREF(kernel->like);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(kernel);
    Py_DECREF(type);
}

typedef struct { const Bit *items; size_t count; } Bits;

static Bit *copied_bits(Bits from)
{
    Bit *copy = malloc((from.count + 1) * sizeof(Bit));
    if (copy) memcpy(copy, from.items, from.count * sizeof(Bit));
    else PyErr_NoMemory();
    return copy;
}

/* What belongs to candidates, an item to each of these: where the items of every candidate begin, and they themselves. */
static int gather(size_t candidates, Bits of, const Bit *items, Bit **from, Bit **gathered)
{
    if (!of.count) return 0;
    Bit *next = *from = calloc(candidates + 2, sizeof(Bit));
    if (!next || !(*gathered = malloc(of.count * sizeof(Bit)))) {
        PyErr_NoMemory();
        return -1;
    }
    next++;
    for (size_t i = 0; i < of.count; i++) next[of.items[i]]++;
    for (size_t sum = 0, i = 0, own; i <= candidates; i++, sum += own) own = next[i], next[i] = (Bit)sum;
    for (size_t i = 0; i < of.count; i++) (*gathered)[next[of.items[i]]++] = items[i];
    return 0;
}

/* Say of all places which lines they are in; whether all bits are those of the state. */
static int find_lines(const Kernel *kernel, Bit variables, const Bit *pairs, Bits spelt)
{
    for (Bit variable = 0; variable < variables; variable++) {
        const size_t values = guard_of(kernel, variable) - kernel->begin[variable];
        for (Bit i = kernel->places_from[variable]; values && i < kernel->places_from[variable + 1]; i++) {
            const Bit start = pairs[2 * i], stride = pairs[2 * i + 1];
            const size_t last = start + (values - 1) * stride;
            if (last >= kernel->length) return 0;
            const Place place = kernel->places[i] = (Place){start, stride, line_of(kernel, start), stride > 1};
            if (line_of(kernel, (Bit)last) != place.line + (values - 1) * place.step) return 0;
        }
    }
    for (size_t i = 0; i < spelt.count; i++) if (spelt.items[i] >= kernel->length) return 0;
    return 1;
}

enum { BEGIN, ROWS, FIRSTS, PLACES_FROM, PLACES, SPELT_OF, SPELT, MEMBERS_FROM, MEMBERS, CLASSES, ARRAYS };

static int are_below(Bits some, size_t end)
{
    for (size_t i = 0; i < some.count; i++) if (some.items[i] >= end) return 0;
    return 1;
}

static int are_ranges(Bits from, size_t least, size_t end)  /* from 0 to the end, each at least so long */
{
    if (!from.count || from.items[0] || from.items[from.count - 1] != end) return 0;
    for (size_t i = 1; i < from.count; i++) if (from.items[i] < from.items[i - 1] + least) return 0;
    return 1;
}

/* Whether arrays describe a layout, so that no later step reads beyond them. */
static int are_layout(const Bits *in)
{
    if (!in[BEGIN].count || !are_ranges(in[BEGIN], 1, in[BEGIN].items[in[BEGIN].count - 1])) return 0;
    const size_t lines = in[BEGIN].count - 1, length = in[BEGIN].items[lines];
    if (!are_ranges(in[PLACES_FROM], 0, in[PLACES].count) || in[PLACES_FROM].count > lines + 1) return 0;
    const size_t candidates = in[BEGIN].items[in[PLACES_FROM].count - 1];
    if (in[MEMBERS].count && !are_ranges(in[MEMBERS_FROM], 0, in[MEMBERS].count)) return 0;
    return in[ROWS].count == 2 * lines && in[SPELT_OF].count == in[SPELT].count && in[CLASSES].count == in[MEMBERS].count
           && are_below(in[FIRSTS], length) && are_below(in[SPELT_OF], candidates) && are_below(in[MEMBERS], candidates)
           && (!in[CLASSES].count || are_below(in[CLASSES], in[MEMBERS_FROM].count - 1));
}

/* Kernel(guards, ones, acting, begin, rows, firsts, places_from, places, spelt_of, spelt, members_from, members, classes):
   three states, and arrays of unsigned 32-bit integers as layout.py has them. */
static PyObject *Kernel_new(PyTypeObject *type, PyObject *args, PyObject *unused)
{
    PyObject *states[3];
    Py_buffer views[ARRAYS] = {{0}};
    Bits in[ARRAYS];
    Kernel *kernel = NULL;
    if (!PyArg_ParseTuple(args, "OOOy*y*y*y*y*y*y*y*y*y*", states, states + 1, states + 2, views, views + 1, views + 2,
                          views + 3, views + 4, views + 5, views + 6, views + 7, views + 8, views + 9)) return NULL;
    for (int i = 0; i < ARRAYS; i++) in[i] = (Bits){views[i].buf, views[i].len / sizeof(Bit)};
    if (!are_layout(in)) {
        PyErr_SetString(PyExc_ValueError, "the arrays are no layout");
        goto done;
    }
    if (!(kernel = (Kernel *)PyType_GenericAlloc(type, 0))) goto done;
    const size_t lines = kernel->lines = in[BEGIN].count - 1, variables = in[PLACES_FROM].count - 1;
    const size_t length = kernel->length = in[BEGIN].items[lines], words = kernel->words = (length + 63) / 64;
    const size_t candidates = kernel->candidates = in[BEGIN].items[variables];
    kernel->guards = calloc(3 * words + 1, sizeof(Word));
    kernel->first_line = malloc((words + 1) * sizeof(Bit));
    kernel->like = top(words);
    kernel->places = calloc(in[PLACES].count / 2 + 1, sizeof(Place));
    kernel->owners = malloc((in[FIRSTS].count + 1) * sizeof(Bit));
    if (!kernel->guards || !kernel->first_line || !kernel->places || !kernel->owners) PyErr_NoMemory();
    kernel->begin = copied_bits(in[BEGIN]), kernel->rows = copied_bits(in[ROWS]), kernel->firsts = copied_bits(in[FIRSTS]);
    kernel->places_from = copied_bits(in[PLACES_FROM]);
    if (in[MEMBERS].count) {
        kernel->members_from = copied_bits(in[MEMBERS_FROM]), kernel->members = copied_bits(in[MEMBERS]);
        gather(candidates, in[MEMBERS], in[CLASSES].items, &kernel->classes_from, &kernel->classes);
    }
    gather(candidates, in[SPELT_OF], in[SPELT].items, &kernel->spelt_from, &kernel->spelt);
    if (PyErr_Occurred()) goto failed;
    kernel->ones = kernel->guards + words, kernel->acting = kernel->ones + words;
    for (int i = 0; i < 3; i++)
        if (read_state(kernel, states[i], kernel->guards + i * words) < 0) goto failed;
    if (!memcmp(kernel->acting, kernel->guards, words * sizeof(Word))) kernel->acting = kernel->guards;  /* read once */
    for (Bit word = 0, line = 0; word < words; kernel->first_line[word++] = line)
        while (kernel->begin[line + 1] <= word << 6) line++;
    for (Bit variable = 0; variable <= variables; variable++) kernel->places_from[variable] /= 2;  /* pairs */
    if (!find_lines(kernel, (Bit)variables, in[PLACES].items, in[SPELT])) {
        PyErr_SetString(PyExc_ValueError, "a bit is beyond the state");
        goto failed;
    }
    for (size_t i = 0; i < in[FIRSTS].count; i++) kernel->owners[i] = line_of(kernel, kernel->firsts[i]);
    goto done;
failed:
    Py_DECREF((PyObject *)kernel);
    kernel = NULL;
done:
    for (int i = 0; i < ARRAYS; i++) PyBuffer_Release(views + i);
    return (PyObject *)kernel;
}

static PyMethodDef Kernel_methods[] = {
    {"sweep", (PyCFunction)Kernel_sweep, METH_O, NULL},
    {"restrict", (PyCFunction)Kernel_restrict, METH_VARARGS, NULL},
    {"narrowed", (PyCFunction)Kernel_narrowed, METH_VARARGS, NULL},
    {"without", (PyCFunction)Kernel_without, METH_VARARGS, NULL},
    {"pick", (PyCFunction)Kernel_pick, METH_VARARGS, NULL},
    {"empty", (PyCFunction)Kernel_empty, METH_O, NULL},
    {"fewest", (PyCFunction)Kernel_fewest, METH_O, NULL},
    {"search", (PyCFunction)Kernel_search, METH_VARARGS, NULL},
    {NULL},
};
static PyMethodDef Search_methods[] = {{"left", (PyCFunction)Search_left, METH_NOARGS, NULL}, {NULL}};
static PyMemberDef Search_members[] = {
    {"has_found", T_BOOL, offsetof(Search, has_found), READONLY, NULL},
    {"run", T_UINT, offsetof(Search, run), READONLY, NULL},
    {"began", T_ULONGLONG, offsetof(Search, began), READONLY, NULL},
    {"closed", T_DOUBLE, offsetof(Search, closed), READONLY, NULL},
    {NULL},
};
static PyMethodDef functions[] = {{"probe", probe, METH_NOARGS, NULL}, {NULL}};

static PyType_Slot Kernel_slots[] = {
    {Py_tp_new, Kernel_new}, {Py_tp_dealloc, Kernel_dealloc}, {Py_tp_methods, Kernel_methods}, {0}};
static PyType_Slot Search_slots[] = {
    {Py_tp_iter, PyObject_SelfIter}, {Py_tp_iternext, Search_next}, {Py_tp_dealloc, Search_dealloc},
    {Py_tp_methods, Search_methods}, {Py_tp_members, Search_members}, {0}};
static PyType_Spec Kernel_spec = {
    "csp.engine.compiled._native.Kernel", sizeof(Kernel), 0, Py_TPFLAGS_DEFAULT, Kernel_slots};
static PyType_Spec Search_spec = {
    "csp.engine.compiled._native.Search", sizeof(Search), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    Search_slots};

static PyModuleDef module = {PyModuleDef_HEAD_INIT, "csp.engine.compiled._native", NULL, -1, functions};

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *made = PyModule_Create(&module);
    for (int i = 0; i < LOADED; i++)
        if (!(counters[i] = PyUnicode_InternFromString(COUNTERS[i]))) return NULL;
    turn_until = PyUnicode_InternFromString("until"), turn_reward = PyUnicode_InternFromString("reward");
    Kernel_type = PyType_FromSpec(&Kernel_spec);
    Search_type = PyType_FromSpec(&Search_spec);
    if (!made || !turn_until || !turn_reward || !Kernel_type || !Search_type) return NULL;
    return PyModule_AddObjectRef(made, "Kernel", Kernel_type) < 0 ? NULL : made;
}
