// The Interactive Sudoku Solver of a checkout, asked line by line as works.py does: node iss.mjs CHECKOUT
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';

globalThis.self = globalThis;
self.VERSION_PARAM = '';
const part = name => import(pathToFileURL(join(process.argv[2], 'js', name)));
const { SudokuParser } = await part('sudoku_parser.js');
const { SudokuBuilder } = await part('solver/sudoku_builder.js');
console.log('ready');

for await (const line of createInterface({ input: process.stdin })) {
  const numbers = line.split('#')[0].trim().split(' ').map(Number);
  let at = 0;
  const next = () => numbers[at++];
  const [want, variables, values, rows, cols] = [next(), next(), next(), next(), next()];
  const letter = number => (number + 1).toString(17);  // it writes 10 as a
  const name = cell => `R${letter(Math.floor(cell / values))}C${letter(cell % values)}`;
  let text = `.Shape~${values}x${values}`;
  for (let left = next(); left; left--) text += `.~${name(next())}_${next()}`;
  for (let left = next(); left; left--) for (let size = next(); size; size--) at += 2;
  for (let left = next(); left; left--) {
    text += `.Cage~${next()}`;
    for (let size = next(); size; size--) text += `~${name(next())}`;
  }
  if (want > 1 || variables !== values * values || rows !== cols || !rows || values > 16) {
    console.log('refused only sudokus and killers up to 16x16, up to two solutions');
    continue;
  }
  const began = performance.now();
  const solver = SudokuBuilder.build(SudokuBuilder.resolveConstraint(SudokuParser.parseText(text)));
  const ready = performance.now();
  const first = solver.nthSolution(0);
  const count = (first ? 1 : 0) + (want === 1 && first && solver.nthSolution(1) ? 1 : 0);
  const ended = performance.now();
  console.log((ready - began) / 1000, (ended - ready) / 1000, count, ...(first ?? []));
}
