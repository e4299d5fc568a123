// What operations of `arith` give, of numbers as the prover of roles knows them.
#pragma once

#include "compiler/roles/prover/RoleRules.h"

namespace tawa::verify {

/// The result of an instruction that computes a number from its operands alone; unknown where it does not follow.
Amount evaluate(const RoleRules &rules, const RoleWorld &world, const RoleInstruction &instruction,
                llvm::ArrayRef<Amount> operands);

} // namespace tawa::verify
