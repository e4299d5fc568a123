// tawa_arg_t as the caller writes it, turned into what the compiler (ArgumentFacts) and the launch path (ArgumentValue)
// work with.
#pragma once

#include "capi/boundary/Wrap.h"

#include <span>

namespace tawa::capi {

/// The caller's array turned into values, in place: fixed size, so that a launch allocates nothing. Only as many are
/// constructed as there are arguments.
class ArgumentList {
public:
  /// Fails on a broken struct, an unknown kind or type, or a number that its type does not hold.
  Status read(const tawa_arg_t *args, uint32_t count);
  std::span<const ArgumentValue> values() const { return {reinterpret_cast<const ArgumentValue *>(storage), count}; }

private:
  uint32_t count = 0;
  alignas(ArgumentValue) std::byte storage[kMaxArguments * sizeof(ArgumentValue)];
};

/// The same for a call that may allocate: nothing of it lies on the caller's stack, which may be small.
Result<std::vector<ArgumentValue>> readValues(const tawa_arg_t *args, uint32_t count);

/// The same arguments as facts for the compiler.
Result<std::vector<ArgumentFacts>> readFacts(const tawa_arg_t *args, std::span<const ArgumentValue> values);

} // namespace tawa::capi
