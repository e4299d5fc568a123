// Damages a kernel's text at random, as people and broken tools do. Works on the text alone and parses MLIR only as far
// as needed to hit something relevant: names, numbers, element types, operations, lines.
#pragma once

#include <random>
#include <string>

namespace tawa::conformance {

struct Mutation {
  std::string text;
  std::string what; ///< For people: "line 40 deleted".
};

/// One damage of a random kind. The same text and the same state of `random` give the same result on every machine.
Mutation mutilate(const std::string &text, std::mt19937 &random);

/// A number from 0 to count - 1, the same on every machine (the standard library's distributions are not).
inline size_t pick(std::mt19937 &random, size_t count) { return random() % count; }

} // namespace tawa::conformance
