/* The kernel in C: wide.py and depth_first.py once more, for models without propagators, without an event log.

   A snapshot is an immutable integer of 64-bit words, with the operators that the rest of the engine uses. A working
   copy of its words is called "state" and is changed in place. kernel.py explains exactly-one sets, candidate bits and
   guard bits.

   The two subtractions of a sweep are those of wide.py, with a loop over words that carries the borrow. Fixing a
   candidate differs: it removes every live candidate of its sets and classes one by one, so no mask is made before the
   first sweep. A search makes masks all the same if a snapshot is small. A search of a larger snapshot counts the
   candidates of every set instead, and logs what it removes on a trail, so that it can be undone.

   After the snapshots, order and names are those of wide.py: sweep, fix, empty, fewest (smallest); then the search. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _MSC_VER
#include <intrin.h>
static int lowest_bit(uint64_t word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
#else
#define lowest_bit(word) __builtin_ctzll(word)
#endif

/* Compile a function twice, with and without the instruction that counts bits. The loader chooses one of the two. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__clang__)
#define FOR_EACH_PROCESSOR __attribute__((flatten, target_clones("popcnt", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

typedef uint64_t Word;
typedef uint32_t Bit;     /* the position of a bit; or a candidate, as its bit in the set of its variable; or a set */
typedef struct { Bit start, stride, set, step; } Place;  /* value i has bit start + i*stride, in set + i*step */

#define NONE UINT32_MAX
#define SMALL 64              /* maximum number of words of a snapshot for which a search makes masks */
#define WORD_MARK (1u << 31)  /* marks a trail entry for several bits of one word */
#define INACTIVE (1u << 30)   /* added to the size of a set that is fixed or not active */
#define STRIPPED 8            /* as in wide.py: candidates stripped from every set before the rest is counted */
#define CHECK_WORDS (1 << 21) /* number of words read between two checks of limits and signals, some milliseconds */

/* ---- snapshots: immutable integers of any width ---- */

/* The words of an integer, the lowest first and without leading zeros. If "sign" is ~0, the integer is negative and
   its words are inverted: word i of its two's complement is words[i] ^ sign, and sign beyond the last word. */
typedef struct { PyObject_VAR_HEAD Word sign; Word words[]; } Snapshot;

static PyObject *Snapshot_type;

static inline size_t width(const Snapshot *snapshot) { return (size_t)snapshot->ob_base.ob_size; }
static inline Word word_at(const Snapshot *snapshot, size_t i)
{
    return (i < width(snapshot) ? snapshot->words[i] : 0) ^ snapshot->sign;
}

/* Return a new snapshot with room for this many words; the caller fills them and then calls finish(). */
static Snapshot *new_snapshot(size_t words, Word sign)
{
    Snapshot *snapshot = PyObject_NewVar(Snapshot, (PyTypeObject *)Snapshot_type, (Py_ssize_t)words);
    if (snapshot) snapshot->sign = sign;
    return snapshot;
}

/* Drop the leading zeros. */
static PyObject *finish(Snapshot *snapshot)
{
    size_t words = width(snapshot);
    while (words && !snapshot->words[words - 1]) words--;
    snapshot->ob_base.ob_size = (Py_ssize_t)words;
    return (PyObject *)snapshot;
}

static PyObject *make_snapshot(const Word *from, size_t words)
{
    Snapshot *snapshot = new_snapshot(words, 0);
    if (!snapshot) return NULL;
    if (words) memcpy(snapshot->words, from, words * sizeof(Word));
    return finish(snapshot);
}

/* Return a snapshot with the value of a Python integer. */
static PyObject *snapshot_of_int(PyObject *number)
{
    int overflow;
    const long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (!overflow) {
        if (small == -1 && PyErr_Occurred()) return NULL;
        Snapshot *snapshot = new_snapshot(1, small < 0 ? ~(Word)0 : 0);
        if (!snapshot) return NULL;
        snapshot->words[0] = (Word)small ^ snapshot->sign;
        return finish(snapshot);
    }
    /* A large integer: read its bytes, or those of its complement. */
    PyObject *positive = overflow < 0 ? PyNumber_Invert(number) : Py_NewRef(number), *bytes = NULL;
    PyObject *bits = positive ? PyObject_CallMethod(positive, "bit_length", NULL) : NULL;
    const Py_ssize_t words = bits ? PyLong_AsSsize_t(bits) / 64 + 1 : 0;
    if (bits) bytes = PyObject_CallMethod(positive, "to_bytes", "ns", words * 8, "little");
    Snapshot *snapshot = bytes ? new_snapshot((size_t)words, overflow < 0 ? ~(Word)0 : 0) : NULL;
    if (snapshot) {
        const unsigned char *byte = (const unsigned char *)PyBytes_AsString(bytes);
        memset(snapshot->words, 0, (size_t)words * sizeof(Word));
        for (Py_ssize_t i = 0; i < words * 8; i++) snapshot->words[i / 8] |= (Word)byte[i] << i % 8 * 8;
    }
    Py_XDECREF(positive); Py_XDECREF(bits); Py_XDECREF(bytes);
    return snapshot ? finish(snapshot) : NULL;
}

static PyObject *Snapshot_int(Snapshot *snapshot)
{
    const size_t words = width(snapshot);
    PyObject *number = NULL;
    if (words <= 1) number = PyLong_FromUnsignedLongLong(words ? snapshot->words[0] : 0);
    else {
        PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)words * 8);
        if (!bytes) return NULL;
        unsigned char *byte = (unsigned char *)PyBytes_AsString(bytes);
        for (size_t i = 0; i < words; i++)
            for (int shift = 0; shift < 64; shift += 8) *byte++ = (unsigned char)(snapshot->words[i] >> shift);
        number = PyObject_CallMethod((PyObject *)&PyLong_Type, "from_bytes", "Ns", bytes, "little");
    }
    if (number && snapshot->sign) {
        PyObject *inverted = PyNumber_Invert(number);
        Py_DECREF(number);
        return inverted;
    }
    return number;
}

/* Get two operands; one of them may be a Python integer, from which a snapshot is made. Return 0 for other operands, -1
   at an error. */
static int get_operands(PyObject *a, PyObject *b, const Snapshot **x, const Snapshot **y, PyObject **made)
{
    PyObject *operands[2] = {a, b};
    *made = NULL;
    for (int i = 0; i < 2; i++) {
        if (Py_TYPE(operands[i]) == (PyTypeObject *)Snapshot_type) continue;
        if (!PyLong_Check(operands[i])) return 0;
        if (!(operands[i] = *made = snapshot_of_int(operands[i]))) return -1;
    }
    *x = (Snapshot *)operands[0], *y = (Snapshot *)operands[1];
    return 1;
}

#define RETURN_UNLESS_OPERANDS(a, b, x, y, made) do {                      \
    const int is_valid = get_operands(a, b, x, y, made);                   \
    if (is_valid < 0) return NULL;                                         \
    if (!is_valid) return Py_NewRef(Py_NotImplemented);                    \
} while (0)

/* Return the number of words of x & y: beyond the end of an operand that is not negative there are none. */
static size_t words_of_and(const Snapshot *x, const Snapshot *y)
{
    if (x->sign) return y->sign && width(x) > width(y) ? width(x) : width(y);
    return y->sign || width(x) < width(y) ? width(x) : width(y);
}

static size_t words_of_or(const Snapshot *x, const Snapshot *y) { return width(x) > width(y) ? width(x) : width(y); }

/* Define an operator that works bit by bit. */
#define DEFINE_BITWISE(name, operator, words_of_result)                                                            \
static PyObject *name(PyObject *a, PyObject *b)                                                                    \
{                                                                                                                  \
    const Snapshot *x, *y;                                                                                         \
    PyObject *made;                                                                                                \
    RETURN_UNLESS_OPERANDS(a, b, &x, &y, &made);                                                                   \
    const size_t both = width(x) < width(y) ? width(x) : width(y), all = words_of_result(x, y);                    \
    const Word x_sign = x->sign, y_sign = y->sign, sign = x_sign operator y_sign;                                  \
    Snapshot *result = new_snapshot(all, sign);                                                                    \
    if (result) {                                                                                                  \
        for (size_t i = 0; i < both; i++)                                                                          \
            result->words[i] = ((x->words[i] ^ x_sign) operator (y->words[i] ^ y_sign)) ^ sign;                    \
        for (size_t i = both; i < all; i++) result->words[i] = (word_at(x, i) operator word_at(y, i)) ^ sign;      \
        finish(result);                                                                                            \
    }                                                                                                              \
    Py_XDECREF(made);                                                                                              \
    return (PyObject *)result;                                                                                     \
}

DEFINE_BITWISE(Snapshot_and, &, words_of_and)
DEFINE_BITWISE(Snapshot_or, |, words_of_or)
DEFINE_BITWISE(Snapshot_xor, ^, words_of_or)

/* Return one word of a difference, and pass the borrow on. */
static inline Word subtract_word(Word minuend, Word subtrahend, Word *borrow)
{
    const Word less = minuend - subtrahend, result = less - *borrow;
    *borrow = (minuend < subtrahend) | (less < *borrow);
    return result;
}

/* Return x - y - borrow, or with "inverted" x - ~y - borrow. */
static PyObject *difference(PyObject *a, PyObject *b, Word inverted, Word borrow)
{
    const Snapshot *x, *y;
    PyObject *made;
    RETURN_UNLESS_OPERANDS(a, b, &x, &y, &made);
    /* One more word holds the sign. */
    const size_t both = width(x) < width(y) ? width(x) : width(y), words = words_of_or(x, y) + 1;
    const Word x_sign = x->sign, y_sign = y->sign ^ inverted;
    Snapshot *result = new_snapshot(words, 0);
    if (result) {
        for (size_t i = 0; i < both; i++)
            result->words[i] = subtract_word(x->words[i] ^ x_sign, y->words[i] ^ y_sign, &borrow);
        for (size_t i = both; i < words; i++)
            result->words[i] = subtract_word(word_at(x, i), word_at(y, i) ^ inverted, &borrow);
        if (result->words[words - 1] >> 63) {
            result->sign = ~(Word)0;
            for (size_t i = 0; i < words; i++) result->words[i] = ~result->words[i];
        }
        finish(result);
    }
    Py_XDECREF(made);
    return (PyObject *)result;
}

static PyObject *Snapshot_subtract(PyObject *a, PyObject *b) { return difference(a, b, 0, 0); }
static PyObject *Snapshot_add(PyObject *a, PyObject *b) { return difference(a, b, ~(Word)0, 1); }

static PyObject *Snapshot_negative(PyObject *snapshot)
{
    PyObject *zero = make_snapshot(NULL, 0), *negative = zero ? Snapshot_subtract(zero, snapshot) : NULL;
    Py_XDECREF(zero);
    return negative;
}

static PyObject *Snapshot_invert(Snapshot *snapshot)
{
    Snapshot *result = (Snapshot *)make_snapshot(snapshot->words, width(snapshot));
    if (result) result->sign = ~snapshot->sign;
    return (PyObject *)result;
}

/* Read the position or the number of bits that an argument gives. Return -1 with an exception if it is none. */
static Py_ssize_t read_bits(PyObject *number)
{
    const Py_ssize_t bits = PyLong_AsSsize_t(number);
    if (bits < 0 && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "bits are counted from 0");
    return bits < 0 ? -1 : bits;
}

/* Return a snapshot after a shift of its words: each word of the result consists of parts of two adjacent words. */
static PyObject *shift(PyObject *a, PyObject *b, int is_left)
{
    if (Py_TYPE(a) != (PyTypeObject *)Snapshot_type || !PyLong_Check(b)) return Py_NewRef(Py_NotImplemented);
    const Snapshot *snapshot = (Snapshot *)a;
    const Py_ssize_t bits = read_bits(b);
    if (bits < 0) return NULL;
    const size_t skipped = (size_t)bits / 64, old = width(snapshot);
    const size_t words = is_left ? old + skipped + 1 : old > skipped ? old - skipped : 0;
    const int low = bits % 64, high = 63 - low;
    Snapshot *result = new_snapshot(words, snapshot->sign);
    if (!result) return NULL;
    if (is_left) {
        /* The new bits are 0, and 1 in the inverted words of a negative number. */
        for (size_t i = 0; i <= skipped; i++) result->words[i] = snapshot->sign;
        if (old) result->words[skipped] = snapshot->words[0] << low;
        for (size_t i = 1; i < old; i++)
            result->words[skipped + i] = snapshot->words[i] << low | snapshot->words[i - 1] >> 1 >> high;
        result->words[skipped + old] = old ? snapshot->words[old - 1] >> 1 >> high : 0;
        result->words[skipped] |= snapshot->sign & (((Word)1 << low) - 1);
    } else if (words) {
        for (size_t i = 0; i + 1 < words; i++)
            result->words[i] = snapshot->words[skipped + i] >> low | snapshot->words[skipped + i + 1] << 1 << high;
        result->words[words - 1] = snapshot->words[old - 1] >> low;
    }
    return finish(result);
}

static PyObject *Snapshot_lshift(PyObject *a, PyObject *b) { return shift(a, b, 1); }
static PyObject *Snapshot_rshift(PyObject *a, PyObject *b) { return shift(a, b, 0); }

static int Snapshot_bool(Snapshot *snapshot) { return width(snapshot) || snapshot->sign; }

static PyObject *Snapshot_richcompare(PyObject *a, PyObject *b, int operation)
{
    const Snapshot *x, *y;
    PyObject *made;
    RETURN_UNLESS_OPERANDS(a, b, &x, &y, &made);
    int order = (x->sign < y->sign) - (x->sign > y->sign);  /* a negative number is less */
    if (!order) {
        order = (width(x) > width(y)) - (width(x) < width(y));
        for (size_t i = width(x); !order && i--;) order = (x->words[i] > y->words[i]) - (x->words[i] < y->words[i]);
        if (x->sign) order = -order;
    }
    Py_XDECREF(made);
    Py_RETURN_RICHCOMPARE(order, 0, operation);
}

/* Return the hash of a Python integer with the same value, the remainder by 2**61 - 1, unless it is negative. */
static Py_hash_t Snapshot_hash(Snapshot *snapshot)
{
    const Word modulus = ((Word)1 << 61) - 1;
    Word hash = 0;
    for (size_t i = width(snapshot); i--;) {
        /* A word counts 2**64, which is 8 by this modulus. */
        hash = (hash << 3 & modulus) + (hash >> 58) + (snapshot->words[i] & modulus) + (snapshot->words[i] >> 61);
        hash = (hash & modulus) + (hash >> 61);
    }
    hash %= modulus;
    return snapshot->sign ? -(Py_hash_t)hash - 2 : (Py_hash_t)hash;
}

static PyObject *Snapshot_new(PyTypeObject *type, PyObject *args, PyObject *unused)
{
    PyObject *number = NULL;
    if (!PyArg_ParseTuple(args, "|O", &number)) return NULL;
    if (!number) return make_snapshot(NULL, 0);
    if (Py_TYPE(number) == type) return Py_NewRef(number);
    PyObject *integer = PyNumber_Index(number), *snapshot = integer ? snapshot_of_int(integer) : NULL;
    Py_XDECREF(integer);
    return snapshot;
}

static void Snapshot_dealloc(PyObject *snapshot)
{
    PyTypeObject *type = Py_TYPE(snapshot);
    PyObject_Free(snapshot);
    Py_DECREF(type);
}

static PyObject *Snapshot_repr(Snapshot *snapshot)
{
    PyObject *number = Snapshot_int(snapshot), *text = number ? PyUnicode_FromFormat("Snapshot(%R)", number) : NULL;
    Py_XDECREF(number);
    return text;
}

static PyObject *Snapshot_reduce(Snapshot *snapshot, PyObject *unused)
{
    return Py_BuildValue("O(N)", Snapshot_type, Snapshot_int(snapshot));
}

static PyObject *Snapshot_bit_length(Snapshot *snapshot, PyObject *unused)
{
    size_t words = width(snapshot), bits = 64 * words;
    if (words) for (Word word = snapshot->words[words - 1]; !(word >> 63); word <<= 1) bits--;
    return PyLong_FromSize_t(bits);
}

/* Return the lowest set bit at or above a start, which is 0 by default; None if there is none. */
static PyObject *Snapshot_next_bit(Snapshot *snapshot, PyObject *const *args, Py_ssize_t count)
{
    const Py_ssize_t start = count ? read_bits(args[0]) : 0;
    if (start < 0) return NULL;
    Word mask = ~(Word)0 << start % 64;
    for (size_t i = (size_t)start / 64; i < width(snapshot); i++, mask = ~(Word)0) {
        const Word word = word_at(snapshot, i) & mask;
        if (word) return PyLong_FromSize_t(64 * i + lowest_bit(word));
    }
    if (!snapshot->sign) return Py_NewRef(Py_None);
    return PyLong_FromSize_t((size_t)start > 64 * width(snapshot) ? (size_t)start : 64 * width(snapshot));
}

static PyObject *Snapshot_has_bit(Snapshot *snapshot, PyObject *number)
{
    const Py_ssize_t bit = read_bits(number);
    return bit < 0 ? NULL : PyBool_FromLong(word_at(snapshot, (size_t)bit / 64) >> bit % 64 & 1);
}

/* Return the snapshot in which exactly these bits are set. */
static PyObject *Snapshot_of_bits(PyObject *unused, PyObject *bits)
{
    PyObject *list = PySequence_List(bits);
    if (!list) return NULL;
    Snapshot *snapshot = NULL;
    Py_ssize_t highest = -1, bit;
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        if ((bit = read_bits(PyList_GetItem(list, i))) < 0) goto done;
        if (bit > highest) highest = bit;
    }
    const size_t words = (size_t)(highest + 64) / 64;
    if (!(snapshot = new_snapshot(words, 0))) goto done;
    memset(snapshot->words, 0, words * sizeof(Word));
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        bit = PyLong_AsSsize_t(PyList_GetItem(list, i));
        snapshot->words[bit / 64] |= (Word)1 << bit % 64;
    }
done:
    Py_DECREF(list);
    return (PyObject *)snapshot;
}

/* Copy the words of a snapshot, filled up with zeros. Return -1 with an exception if its type or its width is wrong. */
static int read_words(PyObject *from, Word *into, size_t words)
{
    const Snapshot *snapshot = (Snapshot *)from;
    if (Py_TYPE(from) != (PyTypeObject *)Snapshot_type || snapshot->sign || width(snapshot) > words) {
        PyErr_SetString(PyExc_ValueError, "not a state of this kernel");
        return -1;
    }
    memcpy(into, snapshot->words, width(snapshot) * sizeof(Word));
    memset(into + width(snapshot), 0, (words - width(snapshot)) * sizeof(Word));
    return 0;
}

/* ---- the layout ---- */

typedef struct {
    PyObject_HEAD
    size_t length, words, sets, candidates;
    Word *guards, *ones, *active;
    /* For every set: its lowest bit, with one more entry for the end. The guard is the bit below the next set. */
    Bit *begin;
    Bit *first_set;                 /* for every word, the set of its lowest bit */
    /* For every set a row (position, number to add): candidate i is firsts[position + i] + number. The position is NONE
       for the set of a variable, whose bits are its candidates. owners: the variable of each entry of firsts. */
    Bit *rows, *firsts, *owners;
    Bit *places_from;               /* for every variable, where its places begin */
    Place *places;
    Bit *extra_from, *extra;        /* for every candidate, its bits that follow no place; NULL if there are none */
    Bit *classes_from, *classes;    /* for every candidate, its classes; NULL if there are none */
    Bit *members_from, *members;    /* for every class, its candidates, of which at most one holds */
    Word *keep;                     /* for every candidate, the mask that fixes it; NULL if there are no masks */
} Kernel;

/* Count the set bits of a word by sideways addition. Compilers replace this by one instruction if there is one. */
static inline Bit count_bits(Word word)
{
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    return (Bit)(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

static inline int is_set(const Word *state, Bit bit) { return state[bit >> 6] >> (bit & 63) & 1; }

/* Return the exactly-one set of a bit: the first set of its word, plus the guards below the bit in the word. */
static inline Bit set_of(const Kernel *kernel, Bit bit)
{
    return kernel->first_set[bit >> 6] + count_bits(kernel->guards[bit >> 6] & (((Word)1 << (bit & 63)) - 1));
}

static inline Bit guard_of(const Kernel *kernel, Bit set) { return kernel->begin[set + 1] - 1; }

/* The sizes of the sets of a large state, and a trail of removals. With them, the cost of a node depends on the number
   of changes, not on the width of the state.

   An entry of the trail is a removed candidate or a cleared guard. Several candidates of one word that are removed
   together are three entries: the two halves of the removed bits, then the number of the word with WORD_MARK. */
typedef struct {
    Bit *size, *trail;              /* size: for every set, its number of candidates, plus INACTIVE for some sets */
    Word *new_singles, *singles;    /* a bit for every set: has got a single candidate; has one in this sweep */
    size_t trail_length;
    Bit unfixed_count, empty_count; /* numbers of unfixed sets and of empty sets */
} Counts;

static inline void clear_bit(Word *state, Bit bit) { state[bit >> 6] &= ~((Word)1 << (bit & 63)); }
static inline void set_bit(Word *state, Bit bit) { state[bit >> 6] |= (Word)1 << (bit & 63); }

/* Execute a statement for every bit of a candidate; it can use the variables "bit" and "set". */
#define FOR_EACH_BIT_OF(kernel, variable, candidate, statement) do {                                               \
    const Bit value = (candidate) - (kernel)->begin[variable];                                                     \
    const Place *place = (kernel)->places + (kernel)->places_from[variable];                                       \
    for (const Place *end = (kernel)->places + (kernel)->places_from[(variable) + 1]; place < end; place++) {      \
        const Bit bit = place->start + value * place->stride, set = place->set + value * place->step;              \
        statement;                                                                                                 \
    }                                                                                                              \
    if ((kernel)->extra_from)                                                                                      \
        for (Bit i = (kernel)->extra_from[candidate]; i < (kernel)->extra_from[(candidate) + 1]; i++) {            \
            const Bit bit = (kernel)->extra[i], set = set_of(kernel, bit);                                         \
            statement;                                                                                             \
        }                                                                                                          \
} while (0)

/* Undo the removals on the trail, the last first, until it is as short as it was at a node. */
static void undo_to(const Kernel *kernel, Counts *counts, Word *state, size_t trail_length)
{
    while (counts->trail_length > trail_length) {
        const Bit entry = counts->trail[--counts->trail_length], set = entry & WORD_MARK ? NONE : set_of(kernel, entry);
        if (set == NONE) {
            /* Restore several candidates of one word; all belong to one set. */
            const Bit word = entry & ~WORD_MARK;
            counts->trail_length -= 2;
            const Word bits = counts->trail[counts->trail_length] | (Word)counts->trail[counts->trail_length + 1] << 32;
            state[word] |= bits;
            counts->size[set_of(kernel, (word << 6) + lowest_bit(bits))] += count_bits(bits);
        } else if (is_set(kernel->guards, entry)) {
            /* Make a set unfixed again. */
            set_bit(state, entry);
            counts->unfixed_count++, counts->size[set] &= is_set(kernel->active, entry) ? ~INACTIVE : NONE;
        } else
            /* Restore all bits of a candidate; "set" is the set of its variable, which has the same number. */
            FOR_EACH_BIT_OF(kernel, set, entry,
                            (set_bit(state, bit), counts->empty_count -= !(counts->size[set]++ & ~INACTIVE)));
    }
}

/* Return the lowest set bit from a bit on; "end" or more if there is none below "end". */
static inline Bit next_bit(const Word *state, Bit bit, Bit end)
{
    while (bit < end) {
        Word word = state[bit >> 6] >> (bit & 63);
        if (word) return bit + lowest_bit(word);
        bit = (bit | 63) + 1;
    }
    return end;
}

/* Subtract one word with the borrow of the word below. "subtrahend" never has all bits set, because "ones" has no
   guards, so adding the borrow does not overflow. */
static inline Word subtract(Word minuend, Word subtrahend, Word *borrow)
{
    subtrahend += *borrow;
    *borrow = minuend < subtrahend;
    return minuend - subtrahend;
}

/* Return whether some set is unfixed, apart from the sets with these hidden guards. */
static inline int has_unfixed(const Kernel *kernel, const Word *state, const Word *hidden)
{
    for (size_t i = 0; i < kernel->words; i++)
        if (state[i] & kernel->guards[i] & ~(hidden ? hidden[i] : 0)) return 1;
    return 0;
}

/* Counters of the work done. check_limits() returns -1 with an exception if the work must end. */
typedef struct Work {
    uint64_t sweeps, fixes, nodes, failures, restarts, solutions, words, steps;  /* the counters of Effort */
    uint64_t unchecked_words;       /* number of words read since the last check */
    int (*check_limits)(struct Work *);
} Work;

/* Count words that are read, and check the limits after every CHECK_WORDS. */
static inline int spend(Work *work, size_t words)
{
    work->unchecked_words += words;
    if (work->unchecked_words < CHECK_WORDS) return 0;
    work->unchecked_words = 0;
    return work->check_limits(work);
}

/* ---- sweep, fix, empty, fewest ---- */

/* Count a removed candidate of a set, and note a set that becomes single or empty. */
static inline void count_removed(Counts *counts, Bit set)
{
    const Bit size = --counts->size[set];
    if (size == 1) counts->new_singles[set >> 6] |= (Word)1 << (set & 63);
    else if (!(size & ~INACTIVE)) counts->empty_count++;
}

/* Remove a live candidate: clear all its bits. With counts, log the removal and update the sizes. */
static inline void remove_candidate(const Kernel *kernel, Counts *counts, Word *state, Bit variable, Bit candidate)
{
    if (!is_set(state, candidate)) return;
    if (counts) {
        counts->trail[counts->trail_length++] = candidate;
        FOR_EACH_BIT_OF(kernel, variable, candidate, (clear_bit(state, bit), count_removed(counts, set)));
    } else
        FOR_EACH_BIT_OF(kernel, variable, candidate, ((void)set, clear_bit(state, bit)));
}

/* Remove several candidates in one word that have no other bits. Their set is about to be fixed, so that it needs no
   check for a single or no candidate. */
static inline void remove_word(const Kernel *kernel, Counts *counts, Word *state, Bit variable, Bit word, Word bits)
{
    /* Up to three bits need no more entries one by one than as a word. */
    if (counts && count_bits(bits) <= 3) {
        for (; bits; bits &= bits - 1)
            remove_candidate(kernel, counts, state, variable, (word << 6) + lowest_bit(bits));
        return;
    }
    state[word] ^= bits;
    if (!counts) return;
    counts->trail[counts->trail_length++] = (Bit)bits, counts->trail[counts->trail_length++] = (Bit)(bits >> 32);
    counts->trail[counts->trail_length++] = WORD_MARK | word;
    counts->size[variable] -= count_bits(bits);
}

/* Return whether every candidate of a variable has a single bit, in the set of the variable. */
static inline int has_one_bit_per_candidate(const Kernel *kernel, Bit variable)
{
    const Bit *extra = kernel->extra_from;
    return kernel->places_from[variable + 1] - kernel->places_from[variable] == 1
           && !(extra && extra[kernel->begin[variable]] < extra[guard_of(kernel, variable)]);
}

/* Remove all live candidates of a set except the candidate of one bit. */
static inline void remove_others(const Kernel *kernel, Counts *counts, Word *state, Bit set, Bit kept_bit)
{
    const Bit begin = kernel->begin[set], guard = guard_of(kernel, set), *row = kernel->rows + 2 * set;
    const int is_variable = row[0] == NONE, is_by_word = is_variable && has_one_bit_per_candidate(kernel, set);
    for (size_t i = begin >> 6; i <= guard >> 6; i++) {
        /* Find the live candidates of the set in this word, without the bits outside of it and the one to keep. */
        Word others = state[i];
        if (i == begin >> 6) others &= ~(Word)0 << (begin & 63);
        if (i == guard >> 6) others &= ~(~(Word)0 << (guard & 63));
        if (i == kept_bit >> 6) others &= ~((Word)1 << (kept_bit & 63));
        /* Remove them together if they have no other bits, else one by one. */
        if (is_by_word && others) remove_word(kernel, counts, state, set, (Bit)i, others);
        for (; others && !is_by_word; others &= others - 1) {
            const Bit bit = (Bit)(i << 6) + lowest_bit(others), member = row[0] + bit - begin;
            if (is_variable) remove_candidate(kernel, counts, state, set, bit);
            else remove_candidate(kernel, counts, state, kernel->owners[member], kernel->firsts[member] + row[1]);
        }
    }
}

/* Fix one set to the candidate of a bit: remove its other candidates and clear its guard. */
static void fix_set(const Kernel *kernel, Counts *counts, Word *state, Bit set, Bit bit)
{
    const Bit guard = guard_of(kernel, set);
    remove_others(kernel, counts, state, set, bit);
    if (counts && is_set(state, guard)) {
        counts->trail[counts->trail_length++] = guard;
        counts->size[set] |= INACTIVE, counts->unfixed_count--;
    }
    clear_bit(state, guard);
}

/* Fix the candidate of a bit: fix all sets that contain it, and remove the other members of its classes. */
static void fix_candidate(const Kernel *kernel, const Word *masks, Counts *counts, Word *state, Bit set, Bit bit)
{
    /* The bit is the guard if the set has just lost its last candidate. Clear it; the next sweep reports the set. */
    if (bit == guard_of(kernel, set)) {
        if (counts) {
            counts->trail[counts->trail_length++] = bit;
            counts->size[set] |= INACTIVE, counts->unfixed_count--;
        }
        clear_bit(state, bit);
        return;
    }
    /* Find the candidate of the bit, and its variable. */
    const Bit *row = kernel->rows + 2 * set, member = row[0] + bit - kernel->begin[set], is_variable = row[0] == NONE;
    const Bit candidate = is_variable ? bit : kernel->firsts[member] + row[1];
    /* With masks, one pass over the words is enough. */
    if (masks) {
        const Word *restrict keep = masks + candidate * kernel->words;
        for (size_t i = 0; i < kernel->words; i++) state[i] &= keep[i];
        return;
    }
    const Bit variable = is_variable ? set : kernel->owners[member];
    FOR_EACH_BIT_OF(kernel, variable, candidate, fix_set(kernel, counts, state, set, bit));
    /* Remove the other members of all classes of the candidate. */
    if (!kernel->classes_from) return;
    for (Bit i = kernel->classes_from[candidate]; i < kernel->classes_from[candidate + 1]; i++) {
        const Bit class = kernel->classes[i];
        for (Bit j = kernel->members_from[class]; j < kernel->members_from[class + 1]; j++) {
            const Bit other = kernel->members[j];
            if (other != candidate && is_set(state, other))
                remove_candidate(kernel, counts, state, set_of(kernel, other), other);
        }
    }
}

/* Find the guards of the sets without candidates. Return whether there are any. */
static int empty(const Kernel *kernel, const Word *state, Word *empty_guards)
{
    Word borrow = 0, any = 0;
    for (size_t i = 0; i < kernel->words; i++)
        any |= empty_guards[i] = (subtract(state[i], kernel->ones[i], &borrow) ^ state[i]) & kernel->guards[i];
    return any != 0;
}

/* Fix all singles, until there are none (returns 1) or a set is empty (returns 0). Returns -1 at a limit.

   "result" holds the guards of singles during a sweep; at the end, those of the empty sets. */
static int sweep(const Kernel *kernel, const Word *masks, Word *state, Word *result, Work *work)
{
    const size_t words = kernel->words;
    const Word *guards = kernel->guards, *ones = kernel->ones, *active = kernel->active;
    for (;;) {
        Word borrow = 0, second_borrow = 0, any_empty = 0, any_single = 0;
        work->sweeps++;
        for (size_t i = 0; i < words; i++) {
            /* Subtract 1 from all fields: the guard of every set without candidates changes. */
            const Word before = state[i], less = subtract(before, ones[i], &borrow);
            any_empty |= (less ^ before) & guards[i];
            /* Clear the lowest candidate of every set and subtract 1 again: the guards that change are singles. */
            const Word rest = (before & less) | guards[i];
            any_single |= result[i] = before & active[i] & ~subtract(rest, ones[i], &second_borrow);
        }
        if (any_empty) {
            empty(kernel, state, result);
            return 0;
        }
        if (!any_single) return 1;
        if (spend(work, words) < 0) return -1;
        /* Fix all singles of this sweep. Skip a set whose guard was cleared by another one. */
        for (size_t i = 0; i < words; i++)
            for (Word singles = result[i]; singles &= state[i]; singles &= singles - 1) {
                const Bit guard = (Bit)(i << 6) + lowest_bit(singles), set = set_of(kernel, guard);
                work->fixes++;
                fix_candidate(kernel, masks, NULL, state, set, next_bit(state, kernel->begin[set], guard));
            }
    }
}

/* Sweep a state that was a fixpoint before the changes that were counted; otherwise like sweep(). */
static int sweep_counted(const Kernel *kernel, Counts *counts, Word *state, Word *result, Work *work)
{
    const size_t words = kernel->sets / 64 + 1;
    for (;;) {
        Word any_single = 0;
        work->sweeps++;
        if (counts->empty_count) {
            memset(counts->new_singles, 0, words * sizeof(Word));
            empty(kernel, state, result);
            return 0;
        }
        /* Take the sets that got a single candidate, without those that have been fixed or are inactive. */
        for (size_t i = 0; i < words; i++) {
            Word singles = counts->new_singles[i];
            for (Word rest = singles; rest; rest &= rest - 1)
                if (counts->size[(i << 6) + lowest_bit(rest)] != 1) singles ^= rest & -rest;
            any_single |= counts->singles[i] = singles;
            counts->new_singles[i] = 0;
        }
        if (!any_single) return 1;
        if (spend(work, words) < 0) return -1;
        /* Fix all singles of this sweep. Skip a set whose guard was cleared by another one. */
        for (size_t i = 0; i < words; i++)
            for (Word rest = counts->singles[i]; rest; rest &= rest - 1) {
                const Bit set = (Bit)(i << 6) + lowest_bit(rest), guard = guard_of(kernel, set);
                if (!is_set(state, guard)) continue;
                work->fixes++;
                fix_candidate(kernel, NULL, counts, state, set, next_bit(state, kernel->begin[set], guard));
            }
    }
}

/* Count the candidates of a set; stop when there are more than a limit. */
static Bit count_candidates(const Word *state, Bit begin, Bit guard, Bit limit)
{
    Bit count = 0;
    for (Bit bit = begin; bit < guard && count <= limit; bit = (bit | 63) + 1) {
        Word word = state[bit >> 6] >> (bit & 63);
        if (guard - bit < 64) word &= ((Word)1 << (guard - bit)) - 1;
        count += count_bits(word);
    }
    return count;
}

/* Find the guards of the unfixed active sets with the fewest candidates, without the hidden guards.

   Strips the lowest candidate from all sets until one is empty; after STRIPPED steps it counts. "rest" is scratch
   memory for one state. */
static void fewest(const Kernel *kernel, const Word *state, const Word *hidden, Word *result, Word *rest)
{
    const size_t words = kernel->words;
    const Word *guards = kernel->guards, *ones = kernel->ones, *active = kernel->active;
    Word first = 0, second = 0, third = 0, any = 0, fewer = 0;
    /* In a fixpoint every unfixed set has two candidates or more, and usually one has two. So strip two at once. */
    for (size_t i = 0; i < words; i++) {
        const Word unfixed = state[i] & active[i] & ~(hidden ? hidden[i] : 0);
        const Word once = state[i] & subtract(state[i] | guards[i], ones[i], &first);
        const Word less = subtract(once | guards[i], ones[i], &second), twice = once & less;
        fewer |= unfixed & ~less;
        any |= result[i] = unfixed & ~subtract(twice | guards[i], ones[i], &third);
        rest[i] = twice;
    }
    if (any && !fewer) return;
    /* Begin again if a set has fewer than two candidates; else strip the third one, and so on. */
    if (fewer) memcpy(rest, state, words * sizeof(Word));
    for (int stripped = fewer ? 0 : 2; stripped <= STRIPPED; stripped++) {
        any = first = 0;
        for (size_t i = 0; i < words; i++) {
            const Word less = subtract(rest[i] | guards[i], ones[i], &first);
            any |= result[i] = state[i] & active[i] & ~(hidden ? hidden[i] : 0) & ~less;
            rest[i] &= less;
        }
        if (any) return;
    }
    /* All sets are large: count the candidates of each. */
    Bit smallest_size = NONE;
    for (Bit set = 0; set < kernel->sets; set++) {
        const Bit begin = kernel->begin[set], guard = kernel->begin[set + 1] - 1;
        if (!is_set(state, guard) || !is_set(kernel->active, guard) || (hidden && is_set(hidden, guard))) continue;
        const Bit count = count_candidates(state, begin, guard, smallest_size);
        if (count < smallest_size) {
            memset(result, 0, words * sizeof(Word));
            smallest_size = count;
        }
        if (count == smallest_size) result[guard >> 6] |= (Word)1 << (guard & 63);
    }
}

/* ---- Python's generator of random numbers (MT19937), to shuffle exactly as random.Random(seed) does ---- */

typedef struct { uint32_t state[624]; int next; } Random;

static void seed_random(Random *random, uint32_t seed)
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

static uint32_t draw_random(Random *random)
{
    uint32_t *state = random->state, word;
    /* Make the next 624 words. */
    if (random->next == 624) {
        for (int i = 0; i < 624; i++) {
            word = (state[i] & 0x80000000u) | (state[(i + 1) % 624] & 0x7fffffffu);
            state[i] = state[(i + 397) % 624] ^ word >> 1 ^ (word & 1 ? 0x9908b0dfu : 0);
        }
        random->next = 0;
    }
    /* Temper one of them. */
    word = state[random->next++];
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680u;
    word ^= word << 15 & 0xefc60000u;
    return word ^ word >> 18;
}

static void shuffle(Random *random, Bit *items, Bit count)
{
    for (Bit last = count; last-- > 1;) {
        /* Draw as many binary digits as last + 1 has, until they are a number up to last. */
        Bit digits = 0, chosen;
        while ((last + 1) >> digits) digits++;
        do chosen = draw_random(random) >> (32 - digits); while (chosen > last);
        const Bit item = items[last];
        items[last] = items[chosen];
        items[chosen] = item;
    }
}

/* ---- depth_first.py: a depth-first search with an explicit stack of nodes ---- */

/* A node with untried alternatives. */
typedef struct {
    Word *state;                                  /* a copy; unused for large states, which the trail restores */
    size_t trail_length;                          /* the length of the trail at this node */
    uint32_t depth;
    size_t first_alternative, next_alternative;   /* indices of search->alternatives */
    double share;                                 /* the estimated share of the tree below each alternative */
} Frame;

typedef struct {
    PyObject_HEAD
    Work work;
    Kernel *kernel;
    PyObject *budget, *effort, *shuffle, *is_new; /* shuffle and is_new may be None */
    PyObject *turn;                               /* has the attributes "until" and "reward" */
    PyObject *paused;                             /* the item of the stream at the end of a turn */
    PyThreadState *thread;                        /* the thread, while the search runs without Python's lock */
    Word *root, *state, *found_guards, *rest, *hidden;
    const Word *masks;                            /* the masks of the kernel, for small states */
    Counts *counts, counts_memory;                /* for large states; else counts is NULL */
    uint64_t *weights;                            /* for every set, its number of failures */
    Frame *stack;
    Bit *alternatives, *path;                     /* of all nodes on the stack; the decisions up to the last node */
    size_t frame_count, stack_room, alternative_count, alternatives_room, path_length, path_room;
    uint32_t depth, longest_path;                 /* longest_path: of the present run */
    uint32_t run_failures, run, ordered_runs, max_depth;
    uint64_t unit, per_sweep, per_work, per_node; /* the factors of propagated_work() and of Effort.words */
    uint64_t until;                               /* the work at which the turn is over */
    uint64_t max_nodes, failures, max_failures;   /* failures, max_failures: of the present run */
    double share, explored_share;                 /* estimated: of the tree below this node; explored so far */
    unsigned long long work_at_start;             /* the work at the start of the run */
    int is_limited, is_running, is_shuffled;
    char has_found;
    enum { NEW, SOLVED, TURN_OVER, EXHAUSTED, FAILED } end;
    Random random;
} Search;

enum { STORED = 7, LOADED = 8 };
static const char *const COUNTERS[LOADED] = {
    "sweeps", "fixes", "nodes", "failures", "restarts", "solutions", "words", "steps"};
static PyObject *counters[LOADED], *turn_until, *turn_reward;

/* Return the work of propagation and of the tree, as Effort.propagated. */
static uint64_t propagated_work(const Search *search)
{
    const Work *work = &search->work;
    return work->words / search->per_work + search->per_node * work->nodes + work->steps / 2;
}

/* Read the counters, to which other searches of the same budget add, and the end of the turn. */
static int load_counters(Search *search)
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
        /* After a solution the turn lasts at least for its reward. */
        const uint64_t least = search->end == SOLVED ? propagated_work(search) + PyLong_AsUnsignedLongLong(reward) : 0;
        if (search->until < least) search->until = least;
    }
    Py_XDECREF(until); Py_XDECREF(reward);
    return PyErr_Occurred() ? -1 : 0;
}

/* Write the counters back to the effort of the budget. */
static int store_counters(Search *search)
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

/* Call a method of the budget that checks a limit, and look for signals. Return -1 if the work must end. */
static int call_budget(Search *search, const char *method)
{
    PyEval_RestoreThread(search->thread);
    PyObject *result = store_counters(search) < 0 ? NULL : PyObject_CallMethod(search->budget, method, NULL);
    const int failed = !result || PyErr_CheckSignals() < 0;
    Py_XDECREF(result);
    search->thread = PyEval_SaveThread();
    return failed ? -1 : 0;
}

static int report_too_deep(Search *search)
{
    PyEval_RestoreThread(search->thread);
    if (store_counters(search) == 0) Py_XDECREF(PyObject_CallMethod(search->budget, "too_deep", "I", search->depth));
    search->thread = PyEval_SaveThread();
    return FAILED;
}

static int check_limits(Work *work) { return call_budget((Search *)((char *)work - offsetof(Search, work)), "check"); }

/* Make room in an array for this many items, new items filled with zeros. "array" is the address of the pointer. */
static int grow(void *array, size_t *room, size_t needed, size_t item_size)
{
    if (needed <= *room) return 0;
    const size_t new_room = needed + *room + 16;
    void *new = realloc(*(void **)array, new_room * item_size);
    if (!new) return -1;
    memset((char *)new + *room * item_size, 0, (new_room - *room) * item_size);
    *(void **)array = new;
    *room = new_room;
    return 0;
}

static int out_of_memory(Search *search)
{
    PyEval_RestoreThread(search->thread);
    PyErr_NoMemory();
    search->thread = PyEval_SaveThread();
    return -1;
}

/* Add one to the weight of every set that the last sweep found empty. */
static void blame(Search *search)
{
    for (size_t i = 0; i < search->kernel->words; i++)
        for (Word word = search->found_guards[i]; word; word &= word - 1)
            search->weights[set_of(search->kernel, (Bit)(i << 6) + lowest_bit(word))]++;
}

/* Let the function of the caller shuffle the alternatives. */
static int call_shuffle(Search *search, Bit *items, size_t count)
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

/* Call the function of the caller that returns whether to report a solved state. */
static int call_is_new(Search *search)
{
    PyEval_RestoreThread(search->thread);
    PyObject *snapshot = make_snapshot(search->state, search->kernel->words);
    PyObject *result = snapshot ? PyObject_CallFunctionObjArgs(search->is_new, snapshot, NULL) : NULL;
    const int is_new = result ? PyObject_IsTrue(result) : -1;
    Py_XDECREF(snapshot); Py_XDECREF(result);
    search->thread = PyEval_SaveThread();
    return is_new;
}

/* Choose the set to branch on, the smallest with the greatest weight, and push its candidates as a node. */
static int choose(Search *search)
{
    const Kernel *kernel = search->kernel;
    /* After the first solution, branch on shown sets while one is unfixed. */
    const Word *hidden =
        !search->has_found || !has_unfixed(kernel, search->state, search->hidden) ? NULL : search->hidden;
    const size_t words = kernel->words, size = words * sizeof(Word);
    Bit chosen = NONE, smallest_size = INACTIVE;
    if (search->counts) {
        /* Find the smallest size; in a fixpoint no unfixed set has fewer than two candidates. */
        const Bit *size = search->counts->size;
        for (Bit set = 0; set < kernel->sets && smallest_size > 2; set++)
            if (size[set] < smallest_size && !(hidden && is_set(hidden, kernel->begin[set + 1] - 1)))
                smallest_size = size[set];
        /* Choose the first set of that size with the greatest weight. */
        for (Bit set = 0; set < kernel->sets && smallest_size < INACTIVE; set++)
            if (size[set] == smallest_size && !(hidden && is_set(hidden, kernel->begin[set + 1] - 1))
                && (chosen == NONE || search->weights[set] > search->weights[chosen])) chosen = set;
    } else {
        /* Find the smallest sets, and choose the first one with the greatest weight. */
        fewest(kernel, search->state, hidden, search->found_guards, search->rest);
        for (size_t i = 0; i < words; i++)
            for (Word word = search->found_guards[i]; word; word &= word - 1) {
                const Bit set = set_of(kernel, (Bit)(i << 6) + lowest_bit(word));
                if (chosen == NONE || search->weights[set] > search->weights[chosen]) chosen = set;
            }
    }
    if (chosen == NONE) return 0;  /* no unfixed set is active */
    /* Make room for the alternatives, a frame and the decision. */
    const Bit begin = kernel->begin[chosen], guard = kernel->begin[chosen + 1] - 1;
    const size_t first = search->alternative_count;
    if (grow(&search->alternatives, &search->alternatives_room, first + (guard - begin), sizeof(Bit)) < 0
        || grow(&search->stack, &search->stack_room, search->frame_count + 1, sizeof(Frame)) < 0
        || grow(&search->path, &search->path_room, (size_t)search->depth + 1, sizeof(Bit)) < 0)
        return out_of_memory(search);
    /* Add the live candidates of the set in order, then shuffle them if the run or the caller does. */
    for (Bit bit = next_bit(search->state, begin, guard); bit < guard; bit = next_bit(search->state, bit + 1, guard))
        search->alternatives[search->alternative_count++] = bit;
    Bit *items = search->alternatives + first;
    const size_t count = search->alternative_count - first;
    if (search->shuffle != Py_None && call_shuffle(search, items, count) < 0) return -1;
    if (search->is_shuffled) shuffle(&search->random, items, (Bit)count);
    /* Push the node, with the length of the trail or a copy of the state to return to. */
    Frame *frame = search->stack + search->frame_count;
    if (search->counts) frame->trail_length = search->counts->trail_length;
    else if (!frame->state && !(frame->state = malloc(size))) return out_of_memory(search);
    else memcpy(frame->state, search->state, size);
    frame->depth = search->depth;
    frame->first_alternative = frame->next_alternative = first;
    frame->share = search->share / (double)count;
    search->frame_count++;
    return 0;
}

/* Backtrack: restore the state of a node, or of the root if the frame is NULL. */
static void restore(Search *search, const Frame *frame)
{
    if (search->counts) undo_to(search->kernel, search->counts, search->state, frame ? frame->trail_length : 0);
    else memcpy(search->state, frame ? frame->state : search->root, search->kernel->words * sizeof(Word));
}

static void pop_frame(Search *search)
{
    search->alternative_count = search->stack[--search->frame_count].first_alternative;
}

/* Return an element of the Luby sequence 1 1 2 1 1 2 4 ..., counted from 1. */
static uint64_t luby(uint64_t number)
{
    uint64_t power = 1;
    while (power <= number) power <<= 1;
    return power - 1 == number ? power >> 1 : luby(number - (power >> 1) + 1);
}

/* Start the next run at the root, with a failure limit from the Luby sequence. */
static void begin_run(Search *search)
{
    search->share = 1, search->explored_share = 0, search->work_at_start = propagated_work(search);
    restore(search, NULL);
    search->frame_count = search->alternative_count = search->path_length = search->depth = 0;
    search->failures = search->longest_path = 0;
    search->max_failures = search->run_failures * luby(search->run + 1);
    search->is_shuffled = ++search->run > search->ordered_runs;
    if (search->is_shuffled) seed_random(&search->random, search->run);
}

/* Search until a solution, the end of the turn, the end of the tree or a limit; a second call continues. */
FOR_EACH_PROCESSOR static int run_search(Search *search)
{
    const Kernel *kernel = search->kernel;
    Work *work = &search->work;
    /* Continue where the last call returned. */
    if (search->end == SOLVED) goto solved;
    if (search->end == TURN_OVER) goto turned;
    begin_run(search);
    for (;;) {
        if (search->counts ? search->counts->unfixed_count : has_unfixed(kernel, search->state, NULL)) {
            /* A fixpoint with unfixed sets: push it as a node. */
            if (search->depth > search->max_depth) return report_too_deep(search);
            if (choose(search) < 0) return FAILED;
        } else {
            /* A solved state: report it, unless it shows the same as an earlier one. */
            search->has_found = 1;
            search->explored_share += search->share;
            const int is_new = search->hidden ? call_is_new(search) : 1;
            if (is_new < 0) return FAILED;
            if (is_new) {
                work->solutions++;
                return SOLVED;
            }
        solved:
            /* Drop the nodes whose shown sets are all fixed, as explored: one solution of each is enough. */
            while (search->hidden && search->frame_count) {
                const Frame *last = search->stack + search->frame_count - 1;
                restore(search, last);
                if (has_unfixed(kernel, search->state, search->hidden)) break;
                for (size_t i = last->next_alternative; i < search->alternative_count; i++)
                    search->explored_share += last->share;
                pop_frame(search);
            }
        }
        /* Try alternatives until one leads to a fixpoint. */
        for (;;) {
            if (!search->frame_count) return EXHAUSTED;
            if (propagated_work(search) >= search->until) return TURN_OVER;
        turned:;
            Frame *frame = search->stack + search->frame_count - 1;
            if (work->nodes >= search->max_nodes && call_budget(search, "check_node") < 0) return FAILED;
            if (spend(work, kernel->words) < 0) return FAILED;
            /* Take the next alternative of the last node, and backtrack to the state of the node. */
            const Bit bit = search->alternatives[frame->next_alternative++];
            search->depth = frame->depth;
            search->share = frame->share;
            search->path[search->depth] = bit;
            search->path_length = (size_t)search->depth + 1;
            work->nodes++;
            restore(search, frame);
            if (frame->next_alternative == search->alternative_count) pop_frame(search);
            /* Branch: fix the candidate, and propagate. */
            fix_candidate(kernel, search->masks, search->counts, search->state, set_of(kernel, bit), bit);
            const uint64_t sweeps = work->sweeps, fixes = work->fixes;
            const int is_stable = search->counts
                                  ? sweep_counted(kernel, search->counts, search->state, search->found_guards, work)
                                  : sweep(kernel, search->masks, search->state, search->found_guards, work);
            work->words += (search->per_sweep * (work->sweeps - sweeps) + work->fixes - fixes) * search->unit;
            if (is_stable < 0) return FAILED;
            if (is_stable) {
                if (++search->depth > search->longest_path) search->longest_path = search->depth;
                break;
            }
            /* A failure: add to the weights of the empty sets. */
            work->failures++;
            search->failures++;
            search->explored_share += search->share;
            blame(search);
            /* Restart if there is no solution yet and the run has reached its limit of failures. */
            if (!search->has_found && search->failures >= search->max_failures
                && search->failures >= search->longest_path) {
                work->restarts++;
                begin_run(search);
                break;
            }
        }
    }
}

/* ---- the interface to Python ---- */

static PyObject *Kernel_type, *Search_type, *Sweep_type;

/* Return whether no other thread runs the search; else set an exception. */
static int check_idle(const Search *search)
{
    if (search->is_running) PyErr_SetString(PyExc_ValueError, "this search is being asked already");
    return !search->is_running;
}

/* Return the next item of the stream: a solved snapshot, or the mark of a pause. */
static PyObject *Search_next(Search *search)
{
    if (!check_idle(search)) return NULL;
    if (search->end > TURN_OVER || load_counters(search) < 0) return NULL;
    search->is_running = 1;
    if (search->is_limited) search->work.unchecked_words = CHECK_WORDS;  /* check at once: time may have passed */
    search->thread = PyEval_SaveThread();
    search->end = run_search(search);
    PyEval_RestoreThread(search->thread);
    search->is_running = 0;
    if (search->end == FAILED || store_counters(search) < 0) return NULL;
    if (search->end == TURN_OVER) return Py_NewRef(search->paused);
    return search->end == SOLVED ? make_snapshot(search->state, search->kernel->words) : NULL;
}

/* Return the decisions of the last node, and a pair (depth, bit) for each untried alternative, in stack order. */
static PyObject *Search_frontier(Search *search, PyObject *unused)
{
    if (!check_idle(search)) return NULL;
    const size_t length = search->path_length;
    PyObject *path = PyList_New(length), *untried = PyList_New(0);
    for (size_t i = 0; path && i < length; i++) PyList_SetItem(path, i, PyLong_FromUnsignedLong(search->path[i]));
    for (size_t i = 0; untried && i < search->frame_count; i++) {
        const Frame *frame = search->stack + i;
        const size_t end = i + 1 < search->frame_count ? frame[1].first_alternative : search->alternative_count;
        for (size_t j = end; j-- > frame->next_alternative;) {
            PyObject *pair = Py_BuildValue("(II)", frame->depth, search->alternatives[j]);
            if (!pair || PyList_Append(untried, pair) < 0) { Py_XDECREF(pair); Py_CLEAR(untried); break; }
            Py_DECREF(pair);
        }
    }
    if (path && untried) return Py_BuildValue("(NN)", path, untried);
    Py_XDECREF(path); Py_XDECREF(untried);
    return NULL;
}

static void Search_dealloc(Search *search)
{
    PyTypeObject *type = Py_TYPE((PyObject *)search);
    for (size_t i = 0; i < search->stack_room; i++) free(search->stack[i].state);
    free(search->stack); free(search->alternatives); free(search->path);
    free(search->root); free(search->weights);
    free(search->counts_memory.size); free(search->counts_memory.new_singles);
    Py_XDECREF(search->budget); Py_XDECREF(search->effort); Py_XDECREF(search->turn);
    Py_XDECREF(search->shuffle); Py_XDECREF(search->is_new); Py_XDECREF(search->paused);
    Py_XDECREF((PyObject *)search->kernel);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(search);
    Py_DECREF(type);
}

static int read_state(const Kernel *kernel, PyObject *from, Word *into)
{
    return read_words(from, into, kernel->words);
}

/* Make the masks of a small layout on the first search: fix each candidate in the state in which all bits are set. */
static int make_masks(Kernel *kernel)
{
    if (kernel->words > SMALL || kernel->keep) return 0;
    /* A guard has a number, too, but no mask: it is not a candidate. */
    Word *keep = malloc(kernel->candidates * kernel->words * sizeof(Word) + 1);
    if (!keep) return -1;
    memset(keep, -1, kernel->candidates * kernel->words * sizeof(Word));
    for (Bit candidate = 0; candidate < kernel->candidates; candidate++)
        if (!is_set(kernel->guards, candidate))
            fix_candidate(kernel, NULL, NULL, keep + candidate * kernel->words, set_of(kernel, candidate), candidate);
    kernel->keep = keep;
    return 0;
}

/* Count the candidates of every set of a large state, and make room for the trail: an entry for every candidate or
   guard, as each is removed once at most on a path. */
static int count_sets(const Kernel *kernel, const Word *state, Counts *counts)
{
    const size_t words = kernel->sets / 64 + 1;
    counts->size = malloc((2 * kernel->sets + kernel->candidates + 1) * sizeof(Bit));
    counts->new_singles = calloc(2 * words, sizeof(Word));
    if (!counts->size || !counts->new_singles) return -1;
    counts->trail = counts->size + kernel->sets, counts->singles = counts->new_singles + words;
    for (Bit set = 0; set < kernel->sets; set++) {
        const Bit guard = kernel->begin[set + 1] - 1;
        const Bit count = count_candidates(state, kernel->begin[set], guard, NONE - 64);
        const int is_unfixed = is_set(state, guard);
        counts->size[set] = is_unfixed && is_set(kernel->active, guard) ? count : count | INACTIVE;
        counts->unfixed_count += is_unfixed, counts->empty_count += !count;
    }
    return 0;
}

/* Make a search below a snapshot; its arguments are those of _native.pyi. */
static PyObject *Kernel_search(Kernel *kernel, PyObject *args)
{
    PyObject *root, *budget, *weights, *shuffle, *hidden, *is_new, *turn, *paused;
    unsigned long long nodes, max_depth, unit, per_sweep, per_work, per_node;
    unsigned int run_failures, ordered_runs;
    int is_limited;
    if (!PyArg_ParseTuple(args, "OOO!OOOOOpK(KII)(KKKK)", &root, &budget, &PyList_Type, &weights, &shuffle, &hidden,
                          &is_new, &turn, &paused, &is_limited, &nodes, &max_depth, &run_failures,
                          &ordered_runs, &unit, &per_sweep, &per_work, &per_node)) return NULL;
    Search *search = (Search *)PyType_GenericAlloc((PyTypeObject *)Search_type, 0);
    if (!search) return NULL;
    search->kernel = (Kernel *)Py_NewRef((PyObject *)kernel);
    search->budget = Py_NewRef(budget);
    if (!(search->effort = PyObject_GetAttrString(budget, "effort"))) goto failed;
    search->shuffle = Py_NewRef(shuffle), search->is_new = Py_NewRef(is_new);
    search->turn = Py_NewRef(turn), search->paused = Py_NewRef(paused);
    search->max_nodes = nodes, search->run_failures = run_failures, search->is_limited = is_limited;
    search->unit = unit, search->per_sweep = per_sweep, search->per_work = per_work, search->per_node = per_node;
    search->ordered_runs = ordered_runs, search->max_depth = max_depth < NONE ? (uint32_t)max_depth : NONE;
    search->work.check_limits = check_limits;
    /* Make room for the root, the working copy, the scratch memory and the hidden guards in one piece. */
    const size_t words = kernel->words;
    search->root = calloc(5 * words + 1, sizeof(Word));
    search->weights = calloc(kernel->sets + 1, sizeof(uint64_t));
    if (!search->root || !search->weights || make_masks(kernel) < 0) {
        PyErr_NoMemory();
        goto failed;
    }
    /* A large state has no masks and no copies at nodes, so its depth needs no limit. */
    search->masks = kernel->keep;
    if (!search->masks) search->max_depth = NONE;
    search->state = search->root + words;
    search->found_guards = search->state + words, search->rest = search->found_guards + words;
    if (read_state(kernel, root, search->root) < 0) goto failed;
    if (!search->masks) {
        search->counts = &search->counts_memory;
        memcpy(search->state, search->root, words * sizeof(Word));
        if (count_sets(kernel, search->root, search->counts) < 0) {
            PyErr_NoMemory();
            goto failed;
        }
    }
    /* Add up the weights, which are bit-sliced: snapshot i has bit i of the weight of every set, at its guard. */
    for (Py_ssize_t digit = 0; digit < PyList_Size(weights); digit++) {
        if (read_state(kernel, PyList_GetItem(weights, digit), search->found_guards) < 0) goto failed;
        for (Bit set = 0; set < kernel->sets; set++)
            if (is_set(search->found_guards, kernel->begin[set + 1] - 1)) search->weights[set] += (uint64_t)1 << digit;
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

/* ---- the methods of the kernel: each works on a copy of its snapshot ---- */

/* Copy the words of a snapshot, with scratch memory for some more states behind them. */
static Word *copy_state(const Kernel *kernel, PyObject *snapshot, int extra_states)
{
    Word *state = malloc((extra_states + 1) * kernel->words * sizeof(Word) + sizeof(Word));
    if (!state) PyErr_NoMemory();
    else if (read_state(kernel, snapshot, state) < 0) {
        free(state);
        return NULL;
    }
    return state;
}

static int check_signals(Work *work) { return PyErr_CheckSignals(); }

/* Return a SweepResult, whose result is the fixpoint, or the guards of the empty sets. */
FOR_EACH_PROCESSOR static PyObject *Kernel_sweep(Kernel *kernel, PyObject *snapshot)
{
    PyObject *result = NULL;
    Word *state = copy_state(kernel, snapshot, 1);
    if (!state) return NULL;
    Work work = {.check_limits = check_signals};
    const int is_stable = sweep(kernel, kernel->keep, state, state + kernel->words, &work);
    if (is_stable >= 0) {
        PyObject *after = make_snapshot(is_stable ? state : state + kernel->words, kernel->words);
        result = after ? PyStructSequence_New((PyTypeObject *)Sweep_type) : NULL;
        if (!result) Py_XDECREF(after);
        else {
            PyStructSequence_SetItem(result, 0, PyBool_FromLong(is_stable));
            PyStructSequence_SetItem(result, 1, after);
            PyStructSequence_SetItem(result, 2, PyLong_FromUnsignedLongLong(work.sweeps));
            PyStructSequence_SetItem(result, 3, PyLong_FromUnsignedLongLong(work.fixes));
        }
    }
    free(state);
    return result;
}

static PyObject *Kernel_fix(Kernel *kernel, PyObject *args)
{
    PyObject *snapshot;
    unsigned int bit;
    if (!PyArg_ParseTuple(args, "OI", &snapshot, &bit)) return NULL;
    if (bit >= kernel->length) return PyErr_Format(PyExc_IndexError, "there is no bit %u", bit);
    Word *state = copy_state(kernel, snapshot, 0);
    if (!state) return NULL;
    fix_candidate(kernel, kernel->keep, NULL, state, set_of(kernel, bit), bit);
    snapshot = make_snapshot(state, kernel->words);
    free(state);
    return snapshot;
}

/* Read a candidate of a list. Return -1 with an exception if there is no such candidate. */
static int read_candidate(const Kernel *kernel, PyObject *list, Py_ssize_t index, Bit *candidate)
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

/* Remove each candidate of a list, or keep only it in the set of its variable. */
FOR_EACH_PROCESSOR static PyObject *edit(Kernel *kernel, PyObject *args, int is_assignment)
{
    PyObject *snapshot, *list, *after = NULL;
    if (!PyArg_ParseTuple(args, "OO!", &snapshot, &PyList_Type, &list)) return NULL;
    Word *state = copy_state(kernel, snapshot, 0);
    if (!state) return NULL;
    Bit candidate;
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        if (read_candidate(kernel, list, i, &candidate) < 0) goto done;
        if (is_assignment) remove_others(kernel, NULL, state, set_of(kernel, candidate), candidate);
        else remove_candidate(kernel, NULL, state, set_of(kernel, candidate), candidate);
    }
    after = make_snapshot(state, kernel->words);
done:
    free(state);
    return after;
}

static PyObject *Kernel_assign(Kernel *kernel, PyObject *args) { return edit(kernel, args, 1); }
static PyObject *Kernel_without(Kernel *kernel, PyObject *args) { return edit(kernel, args, 0); }

/* Store the item of the lowest candidate of each variable under its key. */
static PyObject *Kernel_pick(Kernel *kernel, PyObject *args)
{
    PyObject *snapshot, *items, *keys, *into, *picked = NULL;
    if (!PyArg_ParseTuple(args, "OO!O!O!", &snapshot, &PyList_Type, &items, &PyTuple_Type, &keys, &PyDict_Type, &into))
        return NULL;
    const size_t count = (size_t)PyTuple_Size(keys);
    if (count > kernel->sets) return PyErr_Format(PyExc_IndexError, "there are no %zu variables", count);
    Word *state = copy_state(kernel, snapshot, 0);
    if (!state) return NULL;
    for (size_t i = 0; i < count; i++) {
        PyObject *item = PyList_GetItem(items, next_bit(state, kernel->begin[i], (Bit)kernel->length));
        if (!item || PyDict_SetItem(into, PyTuple_GetItem(keys, i), item) < 0) goto done;
    }
    picked = Py_NewRef(into);
done:
    free(state);
    return picked;
}

static PyObject *Kernel_empty(Kernel *kernel, PyObject *snapshot)
{
    Word *state = copy_state(kernel, snapshot, 1);
    if (!state) return NULL;
    empty(kernel, state, state + kernel->words);
    snapshot = make_snapshot(state + kernel->words, kernel->words);
    free(state);
    return snapshot;
}

static PyObject *Kernel_fewest(Kernel *kernel, PyObject *snapshot)
{
    Word *state = copy_state(kernel, snapshot, 2);
    if (!state) return NULL;
    fewest(kernel, state, NULL, state + kernel->words, state + 2 * kernel->words);
    snapshot = make_snapshot(state + kernel->words, kernel->words);
    free(state);
    return snapshot;
}

static void Kernel_dealloc(Kernel *kernel)
{
    PyTypeObject *type = Py_TYPE((PyObject *)kernel);
    free(kernel->guards); free(kernel->begin); free(kernel->first_set); free(kernel->rows); free(kernel->firsts);
    free(kernel->places_from); free(kernel->extra_from); free(kernel->classes_from); free(kernel->members_from);
    free(kernel->owners);
    free(kernel->places); free(kernel->extra); free(kernel->classes); free(kernel->members); free(kernel->keep);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(kernel);
    Py_DECREF(type);
}

typedef struct { const Bit *items; size_t count; } Bits;

static Bit *copy_array(Bits array)
{
    Bit *copy = malloc((array.count + 1) * sizeof(Bit));
    if (copy) memcpy(copy, array.items, array.count * sizeof(Bit));
    else PyErr_NoMemory();
    return copy;
}

/* Group items by candidate, with a counting sort. Item i belongs to candidate owners.items[i].

   The items of candidate c are then (*grouped)[(*from)[c]] to (*grouped)[(*from)[c + 1] - 1]. */
static int group_by_candidate(size_t candidates, Bits owners, const Bit *items, Bit **from, Bit **grouped)
{
    if (!owners.count) return 0;
    Bit *next = *from = calloc(candidates + 2, sizeof(Bit));
    if (!next || !(*grouped = malloc(owners.count * sizeof(Bit)))) {
        PyErr_NoMemory();
        return -1;
    }
    /* Count the items of every candidate, one entry further on. */
    next++;
    for (size_t i = 0; i < owners.count; i++) next[owners.items[i]]++;
    /* Turn the counts into the position of the first item of every candidate. */
    for (size_t sum = 0, i = 0, count; i <= candidates; i++, sum += count) count = next[i], next[i] = (Bit)sum;
    /* Store the items. Each position advances to the end of its candidate, which is the start of the next one. */
    for (size_t i = 0; i < owners.count; i++) (*grouped)[next[owners.items[i]]++] = items[i];
    return 0;
}

/* Read the places of all variables from pairs (start, stride), and find the sets that they lead through. Return 0 if a
   bit is beyond the snapshot, or successive values are not in the same set or in successive sets. */
static int find_sets(const Kernel *kernel, Bit variables, const Bit *pairs, Bits extra)
{
    for (Bit variable = 0; variable < variables; variable++) {
        const size_t values = guard_of(kernel, variable) - kernel->begin[variable];
        for (Bit i = kernel->places_from[variable]; values && i < kernel->places_from[variable + 1]; i++) {
            const Bit start = pairs[2 * i], stride = pairs[2 * i + 1];
            const size_t last = start + (values - 1) * stride;
            if (last >= kernel->length) return 0;
            const Place place = kernel->places[i] = (Place){start, stride, set_of(kernel, start), stride > 1};
            if (set_of(kernel, (Bit)last) != place.set + (values - 1) * place.step) return 0;
        }
    }
    for (size_t i = 0; i < extra.count; i++) if (extra.items[i] >= kernel->length) return 0;
    return 1;
}

enum { BEGIN, ROWS, FIRSTS, PLACES_FROM, PLACES, EXTRA_OF, EXTRA, MEMBERS_FROM, MEMBERS, CLASSES, ARRAYS };

static int are_below(Bits array, size_t end)
{
    for (size_t i = 0; i < array.count; i++) if (array.items[i] >= end) return 0;
    return 1;
}

/* Return whether an array divides the numbers from 0 to the end into ranges of a minimum length. */
static int are_ranges(Bits from, size_t min_length, size_t end)
{
    if (!from.count || from.items[0] || from.items[from.count - 1] != end) return 0;
    for (size_t i = 1; i < from.count; i++) if (from.items[i] < from.items[i - 1] + min_length) return 0;
    return 1;
}

/* Return whether the arrays describe a layout, so that no later step reads beyond them. */
static int is_layout(const Bits *in)
{
    if (!in[BEGIN].count || !are_ranges(in[BEGIN], 1, in[BEGIN].items[in[BEGIN].count - 1])) return 0;
    const size_t sets = in[BEGIN].count - 1, length = in[BEGIN].items[sets];
    if (!are_ranges(in[PLACES_FROM], 0, in[PLACES].count) || in[PLACES_FROM].count > sets + 1) return 0;
    const size_t candidates = in[BEGIN].items[in[PLACES_FROM].count - 1];
    if (in[MEMBERS].count && !are_ranges(in[MEMBERS_FROM], 0, in[MEMBERS].count)) return 0;
    return in[ROWS].count == 2 * sets && in[EXTRA_OF].count == in[EXTRA].count && in[CLASSES].count == in[MEMBERS].count
           && are_below(in[FIRSTS], length) && are_below(in[EXTRA_OF], candidates) && are_below(in[MEMBERS], candidates)
           && (!in[CLASSES].count || are_below(in[CLASSES], in[MEMBERS_FROM].count - 1));
}

/* Make a kernel: Kernel(guards, ones, active, begin, rows, firsts, places_from, places, extra_of, extra, members_from,
   members, classes). These are three snapshots, then arrays of unsigned 32-bit integers, which native.py describes. */
static PyObject *Kernel_new(PyTypeObject *type, PyObject *args, PyObject *unused)
{
    PyObject *states[3];
    Py_buffer views[ARRAYS] = {{0}};
    Bits in[ARRAYS];
    Kernel *kernel = NULL;
    if (!PyArg_ParseTuple(args, "OOOy*y*y*y*y*y*y*y*y*y*", states, states + 1, states + 2, views, views + 1, views + 2,
                          views + 3, views + 4, views + 5, views + 6, views + 7, views + 8, views + 9)) return NULL;
    for (int i = 0; i < ARRAYS; i++) in[i] = (Bits){views[i].buf, views[i].len / sizeof(Bit)};
    /* Check the arrays. */
    if (!is_layout(in)) {
        PyErr_SetString(PyExc_ValueError, "the arrays are no layout");
        goto done;
    }
    if (!(kernel = (Kernel *)PyType_GenericAlloc(type, 0))) goto done;
    const size_t sets = kernel->sets = in[BEGIN].count - 1, variables = in[PLACES_FROM].count - 1;
    const size_t length = kernel->length = in[BEGIN].items[sets], words = kernel->words = (length + 63) / 64;
    const size_t candidates = kernel->candidates = in[BEGIN].items[variables];
    /* Allocate and copy the arrays. */
    kernel->guards = calloc(3 * words + 1, sizeof(Word));
    kernel->first_set = malloc((words + 1) * sizeof(Bit));
    kernel->places = calloc(in[PLACES].count / 2 + 1, sizeof(Place));
    kernel->owners = malloc((in[FIRSTS].count + 1) * sizeof(Bit));
    if (!kernel->guards || !kernel->first_set || !kernel->places || !kernel->owners) PyErr_NoMemory();
    kernel->begin = copy_array(in[BEGIN]);
    kernel->rows = copy_array(in[ROWS]), kernel->firsts = copy_array(in[FIRSTS]);
    kernel->places_from = copy_array(in[PLACES_FROM]);
    if (in[MEMBERS].count) {
        kernel->members_from = copy_array(in[MEMBERS_FROM]), kernel->members = copy_array(in[MEMBERS]);
        group_by_candidate(candidates, in[MEMBERS], in[CLASSES].items, &kernel->classes_from, &kernel->classes);
    }
    group_by_candidate(candidates, in[EXTRA_OF], in[EXTRA].items, &kernel->extra_from, &kernel->extra);
    if (PyErr_Occurred()) goto failed;
    /* Read the snapshots. If all sets are active, use one mask for both, so that a sweep reads it once. */
    kernel->ones = kernel->guards + words, kernel->active = kernel->ones + words;
    for (int i = 0; i < 3; i++)
        if (read_state(kernel, states[i], kernel->guards + i * words) < 0) goto failed;
    if (!memcmp(kernel->active, kernel->guards, words * sizeof(Word))) kernel->active = kernel->guards;
    /* Find the set of the lowest bit of every word. */
    for (Bit word = 0, set = 0; word < words; kernel->first_set[word++] = set)
        while (kernel->begin[set + 1] <= word << 6) set++;
    /* Count places as pairs, and find their sets. */
    for (Bit variable = 0; variable <= variables; variable++) kernel->places_from[variable] /= 2;
    if (!find_sets(kernel, (Bit)variables, in[PLACES].items, in[EXTRA])) {
        PyErr_SetString(PyExc_ValueError, "a bit is beyond the state");
        goto failed;
    }
    for (size_t i = 0; i < in[FIRSTS].count; i++) kernel->owners[i] = set_of(kernel, kernel->firsts[i]);
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
    {"fix", (PyCFunction)Kernel_fix, METH_VARARGS, NULL},
    {"assign", (PyCFunction)Kernel_assign, METH_VARARGS, NULL},
    {"without", (PyCFunction)Kernel_without, METH_VARARGS, NULL},
    {"pick", (PyCFunction)Kernel_pick, METH_VARARGS, NULL},
    {"empty", (PyCFunction)Kernel_empty, METH_O, NULL},
    {"fewest", (PyCFunction)Kernel_fewest, METH_O, NULL},
    {"search", (PyCFunction)Kernel_search, METH_VARARGS, NULL},
    {NULL},
};
static PyMethodDef Search_methods[] = {{"frontier", (PyCFunction)Search_frontier, METH_NOARGS, NULL}, {NULL}};
static PyMemberDef Search_members[] = {
    {"has_found", T_BOOL, offsetof(Search, has_found), READONLY, NULL},
    {"run", T_UINT, offsetof(Search, run), READONLY, NULL},
    {"work_at_start", T_ULONGLONG, offsetof(Search, work_at_start), READONLY, NULL},
    {"explored_share", T_DOUBLE, offsetof(Search, explored_share), READONLY, NULL},
    {NULL},
};
static PyMethodDef Snapshot_methods[] = {
    {"of_bits", (PyCFunction)Snapshot_of_bits, METH_O | METH_STATIC, NULL},
    {"bit_length", (PyCFunction)Snapshot_bit_length, METH_NOARGS, NULL},
    {"next_bit", (PyCFunction)(void (*)(void))Snapshot_next_bit, METH_FASTCALL, NULL},
    {"has_bit", (PyCFunction)Snapshot_has_bit, METH_O, NULL},
    {"__reduce__", (PyCFunction)Snapshot_reduce, METH_NOARGS, NULL},
    {NULL},
};

static PyType_Slot Kernel_slots[] = {
    {Py_tp_new, Kernel_new}, {Py_tp_dealloc, Kernel_dealloc}, {Py_tp_methods, Kernel_methods}, {0}};
static PyType_Slot Search_slots[] = {
    {Py_tp_iter, PyObject_SelfIter}, {Py_tp_iternext, Search_next}, {Py_tp_dealloc, Search_dealloc},
    {Py_tp_methods, Search_methods}, {Py_tp_members, Search_members}, {0}};
static PyType_Slot Snapshot_slots[] = {
    {Py_tp_new, Snapshot_new}, {Py_tp_dealloc, Snapshot_dealloc}, {Py_tp_methods, Snapshot_methods},
    {Py_tp_repr, Snapshot_repr}, {Py_tp_hash, Snapshot_hash}, {Py_tp_richcompare, Snapshot_richcompare},
    {Py_nb_and, Snapshot_and}, {Py_nb_or, Snapshot_or}, {Py_nb_xor, Snapshot_xor}, {Py_nb_invert, Snapshot_invert},
    {Py_nb_subtract, Snapshot_subtract}, {Py_nb_add, Snapshot_add}, {Py_nb_negative, Snapshot_negative},
    {Py_nb_lshift, Snapshot_lshift}, {Py_nb_rshift, Snapshot_rshift}, {Py_nb_bool, Snapshot_bool},
    {Py_nb_int, Snapshot_int}, {Py_nb_index, Snapshot_int}, {0}};
static PyType_Spec Snapshot_spec = {
    "csp.engine.compiled._native.Snapshot", sizeof(Snapshot), sizeof(Word), Py_TPFLAGS_DEFAULT, Snapshot_slots};
static PyType_Spec Kernel_spec = {
    "csp.engine.compiled._native.Kernel", sizeof(Kernel), 0, Py_TPFLAGS_DEFAULT, Kernel_slots};
static PyType_Spec Search_spec = {
    "csp.engine.compiled._native.Search", sizeof(Search), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    Search_slots};

static PyStructSequence_Field Sweep_fields[] = {{"is_stable"}, {"result"}, {"sweeps"}, {"fixes"}, {NULL}};
static PyStructSequence_Desc Sweep_desc = {"csp.engine.compiled._native.SweepResult", NULL, Sweep_fields, 4};

static PyModuleDef module = {PyModuleDef_HEAD_INIT, "csp.engine.compiled._native", NULL, -1, NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *created = PyModule_Create(&module);
    for (int i = 0; i < LOADED; i++)
        if (!(counters[i] = PyUnicode_InternFromString(COUNTERS[i]))) return NULL;
    turn_until = PyUnicode_InternFromString("until"), turn_reward = PyUnicode_InternFromString("reward");
    Snapshot_type = PyType_FromSpec(&Snapshot_spec);
    Kernel_type = PyType_FromSpec(&Kernel_spec);
    Search_type = PyType_FromSpec(&Search_spec);
    Sweep_type = (PyObject *)PyStructSequence_NewType(&Sweep_desc);
    if (!created || !turn_until || !turn_reward || !Snapshot_type || !Kernel_type || !Search_type || !Sweep_type
        || PyModule_AddObjectRef(created, "Snapshot", Snapshot_type) < 0) return NULL;
    return PyModule_AddObjectRef(created, "Kernel", Kernel_type) < 0 ? NULL : created;
}
