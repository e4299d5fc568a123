// The GPU that a runtime compiles for, looked up among the hardware descriptions once, at the first compile. A mistake
// in a user's description fails every compile.
#pragma once

#include "runtime/artifact/Target.h"

#include <mutex>
#include <optional>

namespace tawa {
class Device;
} // namespace tawa

namespace tawa::capi {

class RuntimeTarget {
public:
  Result<Target> of(const Device &device) const;

private:
  mutable std::once_flag once;
  mutable std::optional<Result<Target>> found;
};

/// As tawa_compile_to_cache() takes it: of a hardware description, or "emulator".
Result<Target> targetNamed(const std::string &name);

} // namespace tawa::capi
