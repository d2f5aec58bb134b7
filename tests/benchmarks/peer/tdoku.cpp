// tdoku, asked line by line as works.py does: 9x9 sudokus, one solution.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include "tdoku.h"

int main() {
  std::printf("ready\n");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream numbers(line);
    int want, variables, values, rows, cols, givens, groups;
    numbers >> want >> variables >> values >> rows >> cols >> givens;
    std::string puzzle(81, '.');
    for (int i = 0, cell, value; i < givens; ++i) {
      numbers >> cell >> value;
      if (cell < 81) puzzle[cell] = static_cast<char>('0' + value);
    }
    numbers >> groups;
    if (want != 0 || variables != 81 || rows != 3 || groups != 27) {
      std::printf("refused only 9x9 sudokus, and one solution\n");
    } else {
      char solution[82] = {0};
      size_t guesses = 0;
      auto began = std::chrono::steady_clock::now();
      size_t count = TdokuSolverDpllTriadSimd(puzzle.c_str(), 1, 0, solution, &guesses);
      double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      std::printf("0 %.9f %zu", seconds, count);
      for (int i = 0; i < 81; ++i) std::printf(" %c", solution[i]);
      std::printf("\n");
    }
    std::fflush(stdout);
  }
}
