// ProblemData: tensors of a search's own, on a device: seeded data in what kernels read, poison in what they write, and
// red zones around both. Nothing of the caller's memory is touched.
#pragma once

#include "runtime/artifact/WorkSummary.h"
#include "runtime/device/Device.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tawa {

/// How the kernel uses a tensor.
struct TensorUse {
  bool isRead = false, isWritten = false;
};

/// From the accesses of a kernel; one whose tensor is unknown counts for all of them.
std::vector<TensorUse> tensorUses(const WorkSummary &summary);

/// Bytes from the first element of a tensor to the end of the last that its strides reach.
size_t bytesReached(const ArgumentValue &tensor);

class ProblemData {
public:
  /// `arguments` give types, shapes and strides; `uses` has an entry for each of them, and `contents` what is in one
  /// before a launch, bytesReached() long; nothing, or no entry: seeded data.
  static Result<ProblemData> create(Device &device, std::span<const ArgumentValue> arguments,
                                    std::vector<TensorUse> uses, std::span<const std::string> contents, uint64_t seed);
  ProblemData(ProblemData &&other) noexcept
      : device(other.device), values(std::move(other.values)), buffers(std::exchange(other.buffers, {})),
        written(std::move(other.written)) {}
  ProblemData &operator=(ProblemData &&) = delete;
  ~ProblemData();

  /// With the addresses of the tensors.
  std::span<const ArgumentValue> arguments() const { return values; }
  /// Before every trial: memory that the kernel writes is poisoned, or restored where it also reads it.
  Status reset();
  /// Takes the written data as the reference.
  Status keepReference();
  /// Ok where the written data equals the reference, within rounding of the element's type, and nothing was written
  /// around the tensors. ReferenceMismatch has the position and the difference.
  Status compare();

private:
  struct Buffer {
    size_t argument = 0;
    uint64_t address = 0; ///< Of the allocation; the tensor begins after the first red zone.
    size_t bytes = 0;     ///< Of the tensor.
    TensorUse use;
    std::vector<std::byte> initial; ///< Of tensors that are read and written.
    std::vector<std::byte> reference;
  };

  explicit ProblemData(Device &device) : device(device) {}
  Status add(size_t argument, TensorUse use, std::string_view content, uint64_t seed);
  Status checkZones(const Buffer &buffer);

  Device &device;
  std::vector<ArgumentValue> values;
  std::vector<Buffer> buffers;
  std::vector<std::byte> written; ///< Of compare(), kept for its pages.
};

/// Whether two arrays of `count` elements differ by more than rounding explains: "" or a sentence. The whole is
/// compared by its norm, single elements by a looser bound: a sum in another order may cancel differently.
std::string differenceOf(ElementType type, const std::byte *values, const std::byte *reference, size_t count);

} // namespace tawa
