// Reads and checks a kernel's attributes; defines the types of kernel arguments and their parameter layout.

#include "compiler/target/hopper/SM90/Kernel.h"
#include "compiler/roles/Tawa/Target.h"
#include "compiler/target/hopper/SM90/SM90.h"

using namespace mlir;

namespace tawa::sm90 {

bool isKernel(func::FuncOp function) { return kKernelAttr.on(function); }

static FailureOr<uint32_t> readInteger(func::FuncOp kernel, I32Attribute attribute, int64_t low, int64_t high,
                                       int64_t step) {
  std::optional<int32_t> value = attribute.get(kernel);
  if (!value)
    return kernel.emitOpError() << "needs the i32 attribute '" << attribute.name << "'";
  if (*value < low || *value > high || *value % step != 0)
    return kernel.emitOpError() << "'" << attribute.name << "' is " << *value << ", expected " << low << " to " << high
                                << (step > 1 ? " and a multiple of " + std::to_string(step) : std::string());
  return static_cast<uint32_t>(*value);
}

static LogicalResult readCluster(func::FuncOp kernel, std::array<uint32_t, 3> &cluster) {
  if (!kClusterAttr.on(kernel))
    return success();
  DenseI32ArrayAttr sizes = kClusterAttr.get(kernel);
  if (!sizes || sizes.size() != 3)
    return kernel.emitOpError() << "'" << kClusterAttr.name << "' must be an array of three i32";
  int64_t product = 1;
  for (int i = 0; i < 3; ++i) {
    if (sizes[i] < 1 || (product *= sizes[i]) > kMaxClusterSize)
      return kernel.emitOpError() << "'" << kClusterAttr.name << "' must hold positive sizes with a product of at most "
                                  << kMaxClusterSize;
    cluster[i] = static_cast<uint32_t>(sizes[i]);
  }
  return success();
}

FailureOr<KernelInfo> readKernelInfo(func::FuncOp kernel) {
  KernelInfo info;
  Target target = moduleTarget(kernel);
  auto threads = readInteger(kernel, kThreadsAttr, 32, kMaxThreads, 32);
  if (failed(threads))
    return failure();
  auto shared = readInteger(kernel, kSharedBytesAttr, 0, target.sharedPerBlock, 1);
  if (failed(shared) || failed(readCluster(kernel, info.cluster)))
    return failure();
  info.threads = *threads;
  info.sharedBytes = *shared;
  if (kEntryRegistersAttr.on(kernel)) {
    auto registers = readInteger(kernel, kEntryRegistersAttr, 24, target.registersPerThread, 1);
    if (failed(registers))
      return failure();
    if (*registers * info.threads > target.registersPerMultiprocessor)
      return kernel.emitOpError() << "'" << kEntryRegistersAttr.name << "' " << *registers << " times " << info.threads
                                  << " threads exceeds the " << target.registersPerMultiprocessor
                                  << " registers of an SM";
    info.entryRegisters = *registers;
  }
  return info;
}

std::optional<ParamLayout> paramLayout(Type type) {
  if (isa<TensorMapType>(type))
    return ParamLayout{128, 64};
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type)) {
    if (pointer.getAddressSpace() != 1)
      return std::nullopt;
    return ParamLayout{8, 8};
  }
  if (!type.isInteger(8) && !type.isInteger(16) && !type.isInteger(32) && !type.isInteger(64) && !type.isF16() &&
      !type.isBF16() && !type.isF32() && !type.isF64())
    return std::nullopt;
  uint32_t bytes = type.getIntOrFloatBitWidth() / 8;
  return ParamLayout{bytes, bytes};
}

} // namespace tawa::sm90
