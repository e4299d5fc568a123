// All kernels of tests/kernels, each with its launches at small shapes. Those that Triton printed for this project have
// theirs in a table; those in the folders below say theirs in a `// run:` line (TileProgram.h).
#pragma once

#include "tests/conformance/TileProgram.h"

#include <ostream>
#include <string>
#include <vector>

namespace tawa::conformance {

/// A kernel and one way to launch it.
struct Entry {
  std::string kernel; ///< Path below tests/kernels, without the suffix.
  std::string launch;
  bool allSchedules = false;
  int number = 0; ///< Of its launches; 0: the first.

  std::string name() const;
  friend void PrintTo(const Entry &entry, std::ostream *stream) { *stream << entry.name(); }
};

std::vector<Entry> entries();

} // namespace tawa::conformance
