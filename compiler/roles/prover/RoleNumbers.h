// Evaluates `arith` operations on the prover's symbolic numbers.
#pragma once

#include "compiler/roles/prover/RoleRules.h"

namespace tawa::verify {

/// The result of an instruction that depends only on its operands; unknown where it cannot be derived.
Amount evaluate(const RoleRules &rules, const RoleWorld &world, const RoleInstruction &instruction,
                llvm::ArrayRef<Amount> operands);

} // namespace tawa::verify
