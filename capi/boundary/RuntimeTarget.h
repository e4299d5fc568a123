// The GPU that a runtime compiles for: found among the hardware descriptions when it is first asked for, once, since
// every compile asks. A mistake in a user's description is the error of each of them.
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

} // namespace tawa::capi
