// A tile program of the conformance suite: a kernel's text, its arguments made from fresh random data, and the check of
// its results against an independent double-precision reference. The suite runs each on every device present.
#pragma once

#include <tawa/tawa.hpp>

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace tawa::conformance {

/// Where a case runs: a device, and for the emulator when its asynchronous work lands.
struct Place {
  std::string device;   ///< "emulator", "cuda:0"
  std::string schedule; ///< TAWA_EMU_SCHEDULE; empty on a GPU.
  std::string name() const;
  /// For GoogleTest's messages.
  friend void PrintTo(const Place &place, std::ostream *stream) { *stream << place.name(); }
};

/// The emulator under three schedules, and the first GPU.
const std::vector<Place> &places();

/// The runtime of a place, opened once; nothing where the device is not present, with the reason in `why`.
std::optional<Runtime> openPlace(const Place &place, std::string &why);

/// A runtime of a place that is present; on the emulator with room for 24 CTAs at least.
Runtime openLargePlace(const Place &place);

/// Whether code is made for Hopper, which alone has roles and clusters: TAWA_TARGET names no other GPU.
bool isForHopper();

/// The text of tests/kernels/<name>.mlir.
std::string readKernel(const std::string &name);

/// C[M,N] = A[M,K] B[N,K]^T in f16 with f32 accumulation. `depth` is the K the kernel is told; the matrices have at
/// least 8 columns, since a tensor map describes no empty tensor.
struct Gemm {
  int64_t rows = 0, columns = 0, depth = 0;
  int64_t tileRows = 128, tileColumns = 256;
  uint32_t seed = 1;
  uint32_t ctas = 0; ///< Of the launch; 0: one per tile.

  /// The arguments without addresses; with `open`, sizes are left for the launch to tell.
  std::vector<tawa_arg_t> specs(bool open = false) const;
  /// Runs the kernel on poisoned output and compares; the empty string when every element is right.
  std::string run(const Runtime &runtime, const Kernel &kernel) const;
};

} // namespace tawa::conformance
