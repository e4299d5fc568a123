// The phases of a compilation, in order. A newcomer reads this table and then Pipeline.cpp, which fills each row with
// passes.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <array>

namespace tawa {

enum class Phase {
  Parsed,
  Normalized,
  Specialized,
  Partitioned,
  Distributed,
  Pipelined,
  Proved,
  LaidOut,
  Machine,
  Llvm
};

struct PhaseInfo {
  Phase phase;
  llvm::StringLiteral name;  ///< Also the name of its dump: NN-<name>.mlir.
  llvm::StringLiteral holds; ///< What is true when it ends.
};

inline constexpr std::array<PhaseInfo, 10> kPhases = {{
    {Phase::Parsed, "parsed", "verified TTIR"},
    {Phase::Normalized, "normalized",
     "one function; control flow is scf.for, while and if; no block pointers, no composites"},
    {Phase::Specialized, "specialized", "parameters bound to logical arguments, constant arguments folded"},
    {Phase::Partitioned, "partitioned", "every operation says which roles run it"},
    {Phase::Distributed, "distributed", "each role has its own code; roles share only arefs"},
    {Phase::Pipelined, "pipelined", "dots are asynchronous, P in flight, slots released when their readers are done"},
    {Phase::Proved, "proved", "roles neither race nor deadlock, for all trip counts; or the kernel becomes one role"},
    {Phase::LaidOut, "laid-out", "every tensor has a layout"},
    {Phase::Machine, "machine",
     "per-thread sm90 operations, no tensors left; roles are proved once more, or become one"},
    {Phase::Llvm, "llvm", "LLVM dialect for the chosen target"},
}};

} // namespace tawa
