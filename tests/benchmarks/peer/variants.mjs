// Variants for the Interactive Sudoku Solver of a checkout, each a line in its own text: node variants.mjs CHECKOUT
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

globalThis.self = globalThis;
self.VERSION_PARAM = '';
const part = name => import(pathToFileURL(join(process.argv[2], 'js', name)));
const { SudokuParser } = await part('sudoku_parser.js');
const { SudokuBuilder } = await part('solver/sudoku_builder.js');

for await (const line of createInterface({ input: process.stdin })) {
  const began = process.cpuUsage();
  let told;
  try {
    const solver = SudokuBuilder.build(SudokuBuilder.resolveConstraint(SudokuParser.parseText(line)));
    const first = solver.nthSolution(0);
    told = !first ? 'none' : solver.nthSolution(1) ? 'several' : [...first].join('');
  } catch (error) {
    told = `refused: ${error.message}`;
  }
  const { user, system } = process.cpuUsage(began);
  console.log((user + system) / 1e6, told);
}
