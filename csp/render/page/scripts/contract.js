/* What the page is given, in words for scripts, made of csp/render/page/contract.py by typedefs().
   Nothing here runs. Numbers stand for names: that of a variable, a value, a constraint or a form is its place in its
   list. What is absent is empty, false, or nothing. */

/**
 * All of a plan. The first ``under`` marks lie under the vertices; ``ways`` lead from the middle of a vertex;
 * ``signs`` are all entries of legends: what it means, the selector and the text of its sign, and its marks.
 * @typedef {Object} PlanData
 * @property {string[]} values
 * @property {FormData[]} forms
 * @property {VertexData[]} vertices
 * @property {ShapeData[]} marks
 * @property {number} under
 * @property {ConstraintData[]} constraints
 * @property {string[]} ways
 * @property {*[][]} signs
 * @property {Object<string, LensData>} lenses
 * @property {string} lens
 */

/**
 * How vertices that are alike show their domains: the marks of ``csp.picture.vertex.Parts``, and the middles of the
 * places of values, which are ``slot`` wide and high. What is said of values is told once for all that are alike,
 * around their places, with ``{v}`` for the value; then, for each value, a letter: its code less 48 is the number of
 * the marks that are its own.
 * @typedef {Object} FormData
 * @property {string} kind
 * @property {string} style
 * @property {number[]} size
 * @property {number[]} values
 * @property {number[][]} places
 * @property {number[]} slot
 * @property {Object<string, ShapeData[]>} whole
 * @property {Object<string, *[]>} said
 */

/**
 * A variable: its name, its middle, its domain and its form; what is written on it, and in its places; the value
 * that the spec tells.
 * @typedef {Object} VertexData
 * @property {string} name
 * @property {number} x
 * @property {number} y
 * @property {number[]} domain
 * @property {number} form
 * @property {string} [label]
 * @property {string} [piece]
 * @property {number} [given]
 * @property {boolean} [bare]
 */

/**
 * A mark, an array in the data of a page: ``csp.picture.shapes.Mark``.
 *
 * ``at`` is the path of a line; the middle of a text; the middle, width and height of all else. What is empty at the
 * end is left out.
 * @typedef {Array} ShapeData
 * @property {string} shape
 * @property {string} look
 * @property {string|number[]} at
 * @property {number} [size]
 * @property {string} [text]
 * @property {number[]} [constraints]
 * @property {string} [fill]
 */

/**
 * A constraint; whether edges between its variables would lie on others, and then the path that joins two of them
 * while it is at work.
 * @typedef {Object} ConstraintData
 * @property {string} name
 * @property {number[]} scope
 * @property {number|string} [line]
 * @property {number[]} [origins]
 * @property {boolean} [close]
 * @property {string} [join]
 * @property {ConstraintNodeData} [chip]
 */

/**
 * The vertex of a constraint, which may show only while it is at work.
 * @typedef {Object} ConstraintNodeData
 * @property {ShapeData[]} marks
 * @property {boolean} [quiet]
 */

/**
 * An edge, an array in the data of a page: its path, the variables at its ends, one or two, its constraints, and
 * whether it says anything else than that they differ.
 * @typedef {Array} EdgeData
 * @property {string} way
 * @property {number[]} ends
 * @property {number[]} constraints
 * @property {boolean} [dashed]
 */

/**
 * What a lens shows besides vertices and marks: ``csp.picture.lenses.lens.Lens``.
 *
 * ``box`` is the part of the plane that is seen. ``joins`` has, by the number of a constraint that has no edges of
 * its own, what shows while it is at work: the variable that may lose a value, and a letter for a way from it.
 * ``bows`` has instead a letter for each pair of its variables, one after another, for a way from the first to the
 * second; of these those show that lead from a cause to what is none. ``near`` are the constraints of which the bows
 * of one vertex show where none is at work.
 * @typedef {Object} LensData
 * @property {string} title
 * @property {number[]} chips
 * @property {EdgeData[]} edges
 * @property {ShapeData[]} texts
 * @property {number[]} near
 * @property {number} hidden
 * @property {number[]} box
 * @property {Object<number, *[][]>} joins
 * @property {Object<number, Object<number, string>>} bows
 * @property {number[]} legend
 */

/**
 * How groups of different values that are alike are drawn as bipartite graphs: the middles and widths of the two
 * columns of boxes, from where to where edges and frames go, how high a box is, where it begins what a frame says, the
 * part of the plane that is taken up, and the values, as numbers or, where elements are expressions, as texts.
 * @typedef {Object} GraphData
 * @property {number[][]} columns
 * @property {number[]} ends
 * @property {number[]} frame
 * @property {number} high
 * @property {number} said
 * @property {number[]} box
 * @property {*[]} values
 */

/**
 * A group of different values: its graph, its title, and its elements where they are not its scope: a variable, or
 * a variable, a text and the values of the graph that those of its domain give.
 * @typedef {Object} GroupData
 * @property {number} graph
 * @property {ShapeData[]} title
 * @property {*[]} [elements]
 */

/**
 * One matching of a group and where it stands, an array in the data of a page.
 *
 * Letters stand for numbers (``csp.render.page.data.letter``): for each element and for each value of its graph in
 * ``rows``, how far down it stands; the value that each element is matched with, or a space; for each frame its middle
 * and height in ``spans``, and what it says in ``words``.
 * @typedef {Array} MatchingData
 * @property {number} group
 * @property {string} members
 * @property {string} values
 * @property {string} pairs
 * @property {string} spans
 * @property {string} words
 */

/**
 * A node of the search tree: its kind, its middle, the marks besides its shape, what is told of it besides the
 * caption of its last record, the path from its parent, and its first and last record. A node of the collapsed tree
 * that is ``like`` one of the whole tree has only what differs. Of what was not tried, ``choices`` are what could
 * be decided, as ``A = 1``, and ``tried`` what was.
 * @typedef {Object} NodeData
 * @property {number} [like]
 * @property {string} [kind]
 * @property {number} [x]
 * @property {number} [y]
 * @property {ShapeData[]} [marks]
 * @property {string} [text]
 * @property {string} [branch]
 * @property {number} [first]
 * @property {number} [last]
 * @property {string[]} [choices]
 * @property {string[]} [tried]
 */

/**
 * A search tree, and the part of the plane that it takes up. ``shapes`` of the film has, for each kind of node,
 * what it means, its shape and what stands in it in a legend.
 * @typedef {Object} TreeData
 * @property {number[]} box
 * @property {NodeData} nodes
 */
