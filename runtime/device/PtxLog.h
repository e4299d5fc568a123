// Parses the log of an assembler of PTX, the driver's or ptxas. It accepts code that it then makes slow, or whose
// meaning it changes, and reports that only here.
#pragma once

#include "runtime/support/Status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tawa {

/// The lines that make a kernel unfit: notices C75xx that wgmma was serialized or setmaxnreg ignored, one per line of
/// the result; empty where there are none.
std::string rejectedNotices(std::string_view log);

/// PtxRejected with those lines; `assembler` took the PTX of `kernel`.
Status checkNotices(std::string_view log, const std::string &assembler, const std::string &kernel);

/// The lines with any other C75xx notice (an injected wait, say): worth a warning.
std::string otherNotices(std::string_view log);

/// Bytes of spill stores per thread, the most that any function of the log reports.
uint32_t spillBytes(std::string_view log);

/// The `.version` directive of PTX text as 10 * major + minor; 0 where there is none.
uint32_t ptxVersion(std::string_view ptx);

} // namespace tawa
