/* Types of the data of the page; typedefs() in csp/render/page/contract.py generates this file, which does not run.
   The data refer to variables, values, constraints and forms by number: the index in their list. An absent field means
   empty, false or undefined. */

/**
 * A plan: the fixed part of a picture, with vertices, constraints and lenses.
 *
 * The first ``under`` shapes of ``marks`` lie under the vertices. ``ways`` are paths from the middle of a vertex.
 * ``signs`` are the entries of all legends: the meaning, the selector and text of the sign, and its shapes.
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
 * The way in which vertices of equal size and values show their domains.
 *
 * ``places`` are the middles of the places of values, and ``slot`` is the width and height of a place. ``whole`` has the
 * shapes of a domain by part (``csp.picture.vertex.Parts``). ``said`` has the shapes of single values by part: a list of
 * variants, relative to the place of the value and with ``{v}`` for its text; if there are several variants, then
 * a string with a letter for each value, whose code minus 48 is the index of its variant.
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
 * A variable: its name, the middle of its vertex, its domain and its form.
 *
 * ``label`` is the text on the vertex, ``piece`` the text that replaces every value, and ``given`` the value that the spec
 * states. A ``bare`` vertex is transparent.
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
 * A drawn shape (``csp.picture.shapes.Shape``), as an array.
 *
 * ``at`` is the path of a line, the middle of a text, or the middle, width and height of any other shape. Empty fields
 * at the end of the array are omitted.
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
 * A constraint: its name, its scope, and its line in the spec.
 *
 * ``origins`` are the constraints that it follows from. ``close`` means that edges between its variables would lie on
 * other edges; ``join`` is then the path between its two variables that shows while it is active.
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
 * The vertex of a constraint; a ``quiet`` one is visible only while its constraint is active.
 * @typedef {Object} ConstraintNodeData
 * @property {ShapeData[]} marks
 * @property {boolean} [quiet]
 */

/**
 * An edge, as an array: its path, its one or two end variables, and its constraints.
 *
 * A ``dashed`` edge has a constraint that states more than that its ends differ.
 * @typedef {Array} EdgeData
 * @property {string} way
 * @property {number[]} ends
 * @property {number[]} constraints
 * @property {boolean} [dashed]
 */

/**
 * The additional content of a lens (``csp.picture.lenses.lens.Lens``): nodes of constraints, edges and texts.
 *
 * ``box`` is the visible part of the plane. ``joins`` has the edges that show while a constraint is active, by the
 * number of a constraint without edges: for each edge, a variable that may lose a value, and a letter for a path
 * from it. ``bows`` has, by constraint and variable, a letter for the path to each other variable of the scope; a path
 * shows if it leads from a cause to a variable that is not a cause. ``near`` are the constraints whose bows show for
 * an active vertex while no constraint is active.
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
 * The drawing of equal groups of different values as bipartite graphs of elements and values.
 *
 * ``columns`` are the middles and widths of the two columns of boxes, and ``high`` is the height of a box. Edges lead
 * from the first to the second of ``ends``, and frames from the first to the second of ``frame``. ``said`` is where the
 * text of a frame begins, and ``box`` the visible part of the plane. ``values`` are numbers, or texts if elements are
 * expressions.
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
 * A group of different values: its graph, its title, and its elements if they are not its scope.
 *
 * An element is a variable, or a list of a variable, a text, and the value of the graph for each value of its domain.
 * @typedef {Object} GroupData
 * @property {number} graph
 * @property {ShapeData[]} title
 * @property {*[]} [elements]
 */

/**
 * One matching of a group and its positions, as an array of strings with a letter for each number.
 *
 * ``csp.render.page.data.letter`` defines the letters. ``members`` and ``values`` have the index in ``rows`` of the
 * vertical position of each element and of each value. ``pairs`` has the index of the value that each element is
 * matched with, or a space. ``spans`` and ``words`` have, for each frame, the index of its middle and height in the
 * table ``spans``, and of its text in the table ``words``.
 * @typedef {Array} MatchingData
 * @property {number} group
 * @property {string} members
 * @property {string} values
 * @property {string} pairs
 * @property {string} spans
 * @property {string} words
 */

/**
 * A node of the search tree: its kind, its middle, its first and last record, and the path from its parent.
 *
 * ``marks`` are shapes in addition to the shape of its kind, and ``text`` is a text in addition to the caption of its last
 * record. A node of the collapsed tree may be ``like`` a node of the whole tree; it then has only fields that differ.
 * A node that was not tried has ``choices``, all decisions there, such as ``A = 1``, and ``tried``, the decisions that
 * the search made.
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
 * A search tree, and the part of the plane that it covers.
 *
 * The field ``shapes`` of the film has, for each kind of node, its meaning, its shape, and the text inside it in
 * a legend.
 * @typedef {Object} TreeData
 * @property {number[]} box
 * @property {NodeData} nodes
 */
