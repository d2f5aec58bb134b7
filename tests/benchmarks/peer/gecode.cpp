// Gecode, asked line by line: the numbers of works.py come in, seconds of set-up and of solving, the number of
// solutions and their values go out. Domain-consistent distinct, the variable with the smallest domain first.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>
#include <gecode/int.hh>
#include <gecode/minimodel.hh>
#include <gecode/search.hh>

using namespace Gecode;
using Clock = std::chrono::steady_clock;

struct Puzzle : public Space {
  IntVarArray x;
  Puzzle(int variables, int values) : x(*this, variables, 1, values) {}
  Puzzle(Puzzle& other) : Space(other) { x.update(*this, other.x); }
  Space* copy() override { return new Puzzle(*this); }
};

static double since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

int main() {
  std::printf("ready\n");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream numbers(line);
    auto next = [&] { int number = 0; numbers >> number; return number; };
    int want = next(), variables = next(), values = next();
    next(), next();
    std::vector<std::pair<int, int>> givens(next());
    for (auto& given : givens) given.first = next(), given.second = next();
    std::vector<std::vector<std::pair<int, int>>> groups(next());
    for (auto& group : groups) {
      group.resize(next());
      for (auto& member : group) member.first = next(), member.second = next();
    }
    std::vector<std::pair<int, std::vector<int>>> sums(next());
    for (auto& sum : sums) {
      sum.first = next();
      sum.second.resize(next());
      for (int& member : sum.second) member = next();
    }
    auto began = Clock::now();
    Puzzle* puzzle = new Puzzle(variables, values);
    for (auto& given : givens) rel(*puzzle, puzzle->x[given.first], IRT_EQ, given.second);
    for (auto& group : groups) {
      IntVarArgs members(static_cast<int>(group.size()));
      IntArgs offsets(static_cast<int>(group.size()));
      bool plain = true;
      for (size_t i = 0; i < group.size(); ++i) {
        members[static_cast<int>(i)] = puzzle->x[group[i].first];
        offsets[static_cast<int>(i)] = group[i].second;
        plain = plain && group[i].second == 0;
      }
      if (plain) distinct(*puzzle, members, IPL_DOM);
      else distinct(*puzzle, offsets, members, IPL_DOM);
    }
    for (auto& sum : sums) {
      IntVarArgs members;
      for (int member : sum.second) members << puzzle->x[member];
      linear(*puzzle, members, IRT_EQ, sum.first, IPL_DOM);
    }
    branch(*puzzle, puzzle->x, INT_VAR_SIZE_MIN(), INT_VAL_MIN());
    double ready = since(began);
    auto asked = Clock::now();
    DFS<Puzzle> engine(puzzle);
    delete puzzle;
    long most = want == 0 ? 1 : want == 1 ? 2 : -1, count = 0;
    std::vector<int> told;
    while (count != most) {
      Puzzle* solution = engine.next();
      if (!solution) break;
      ++count;
      if (want == 3 || (want < 2 && count == 1))
        for (int i = 0; i < variables; ++i) told.push_back(solution->x[i].val());
      delete solution;
    }
    std::printf("%.9f %.9f %ld", ready, since(asked), count);
    for (int value : told) std::printf(" %d", value);
    std::printf("\n");
    std::fflush(stdout);
  }
}
