// The attributes of a machine-phase kernel, read once and checked, for the back ends and for launch metadata.
#pragma once

#include "compiler/support/TypedAttributes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>
#include <cstdint>
#include <optional>

namespace tawa::sm90 {

class TensorMapAttr;

/// The attributes of kernels and their parameters, and those of the PTX back end: kThreadsAttr, kTensorMapAttr, ...
#define TAWA_ATTRIBUTE(NAME, TEXT, ACCESSOR, TYPE, PLACES, MEANING) inline constexpr ACCESSOR k##NAME##Attr{{TEXT}};
#include "compiler/target/hopper/SM90/Attributes.def"

inline constexpr uint32_t kMaxThreads = 1024;
inline constexpr uint32_t kMaxClusterSize = 16;

struct KernelInfo {
  uint32_t threads = 0;
  uint32_t sharedBytes = 0;
  std::array<uint32_t, 3> cluster{1, 1, 1};
  std::optional<uint32_t> entryRegisters;
};

bool isKernel(mlir::func::FuncOp function);
/// The kernel's attributes; emits an error and gives nothing where one is missing or beyond what the module's target
/// has.
mlir::FailureOr<KernelInfo> readKernelInfo(mlir::func::FuncOp kernel);

/// The position of a kernel argument of that type in the parameter buffer.
struct ParamLayout {
  uint32_t bytes = 0;
  uint32_t alignment = 0;
};
/// None for a type that cannot be a kernel argument.
std::optional<ParamLayout> paramLayout(mlir::Type type);

} // namespace tawa::sm90
