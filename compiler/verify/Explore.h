// All states a CTA can reach, and whether each of them lets everybody go on.
#pragma once

#include "compiler/verify/Model.h"

namespace tawa::verify {

struct Verdict {
  std::optional<Finding> finding; ///< None: proved.
  unsigned states = 0;
  uint64_t steps = 0; ///< Instructions executed over all states.
};

/// Runs all agents from the entry of the kernel, for every number of iterations and every outcome of conditions.
Verdict explore(const Program &program, Model &model, Protocol &protocol, unsigned entryRegisters);

} // namespace tawa::verify
