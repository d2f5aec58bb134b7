/* What the page is given: csp/paint/page/contract.py in words for scripts. Nothing here runs. Numbers stand for names:
   that of a variable, a value, a constraint or a form is its place in its list. What is absent is empty or false. */

/**
 * @typedef {Object} PlanData
 * @property {string[]} values
 * @property {Object<number, string>} paints the colours of values, for a map
 * @property {FormData[]} forms
 * @property {VertexData[]} vertices
 * @property {MarkData[]} marks
 * @property {ConstraintData[]} constraints
 * @property {Object<string, LensData>} lenses
 * @property {string} lens the one that is shown first
 */

/**
 * @typedef {Object} FormData
 * @property {string} kind card, cell, row or column
 * @property {number[]} size width and height
 * @property {number[]} values those that have a place
 * @property {number} columns how many stand side by side
 * @property {number[]} slot the room of one
 * @property {number[]} first the middle of the first place, from the middle of the vertex
 * @property {number} font the size of a value
 * @property {string} style digits, bitmap or size
 * @property {boolean} [corner] whether a text stands in the upper left corner
 * @property {number} [head] the room before the values of a line
 * @property {string} [piece] what stands for every value
 */

/**
 * @typedef {Object} VertexData
 * @property {string} name
 * @property {number} x of its middle
 * @property {number} y
 * @property {number[]} domain
 * @property {number} form
 * @property {string} [label] what is written on it
 * @property {string} [piece] what stands in its places
 * @property {boolean} [given] whether the spec tells its value
 * @property {boolean} [bare] whether it lets show through what lies under it
 */

/**
 * @typedef {Object} MarkData
 * @property {string} shape line, box, disc or text
 * @property {string} look what it means; its class
 * @property {number[]} at the corners of a line; the middle, width and height of all else
 * @property {string} [text]
 * @property {number} [size] of the font
 * @property {boolean} [under] whether it lies under the vertices
 * @property {boolean} [dashed]
 * @property {number[]} [constraints] for which it stands
 */

/**
 * @typedef {Object} ConstraintData
 * @property {string} name
 * @property {number[]} scope
 * @property {number|string} [line] of the spec; of an included file with its name, rows.csp:7
 * @property {number[]} [origins] those that it was made of
 * @property {Array} [apart] what must differ: a variable, or a text, a variable and what its values give
 * @property {boolean} [close] whether edges between its variables would lie on others
 * @property {Object} [chip] its vertex: at (middle, width, height), text, font, quiet
 * @property {number[]} [ends] the cells to which its own edges go
 * @property {number[][]} [links] the cells that are joined
 */

/**
 * @typedef {Object} LensData
 * @property {number[]} chips the constraints that are vertices
 * @property {Object[]} edges each with ends, way (four numbers for a line, eight for a curve), constraints, dashed
 * @property {MarkData[]} texts at the edges
 * @property {string} acting none, pairs, bows or threads
 * @property {number[]} near the constraints of which the edges of one vertex show where none is at work
 * @property {number} hidden how many constraints show only while active
 */

/**
 * An array of these. Elements that have one value left are matched with it and are not in it, unless there is no matching
 * of all.
 * @typedef {Array} MatchingData
 * @property {number} group a constraint
 * @property {string} pairs of each other element a letter: its code less 48 is the place of its value in the domain, or -1
 * @property {number[][]} [sets] of these the elements that use up their values, or without a matching of all those that
 *   have too few; absent where they all are one component
 */
