// Compares our declarations of the driver's types, constants and functions with cuda.h. The compiler decides
// everything; the test passes if it builds.
#include "runtime/device/cuda/DriverTypes.h"

#include <cstddef>
#include <cuda.h>
#include <gtest/gtest.h>
#include <type_traits>

namespace ours = tawa::cuda;

// Macros in the driver's header, whose names ours could not be written by otherwise.
constexpr long theirPortable = CU_MEMHOSTREGISTER_PORTABLE, theirDeviceMap = CU_MEMHOSTREGISTER_DEVICEMAP;
#undef CU_MEMHOSTREGISTER_PORTABLE
#undef CU_MEMHOSTREGISTER_DEVICEMAP
static_assert(static_cast<long>(ours::CU_MEMHOSTREGISTER_PORTABLE) == theirPortable);
static_assert(static_cast<long>(ours::CU_MEMHOSTREGISTER_DEVICEMAP) == theirDeviceMap);

#define SAME_VALUE(name) static_assert(static_cast<long>(ours::name) == static_cast<long>(::name))
SAME_VALUE(CUDA_SUCCESS);
SAME_VALUE(CUDA_ERROR_INVALID_VALUE);
SAME_VALUE(CUDA_ERROR_OUT_OF_MEMORY);
SAME_VALUE(CUDA_ERROR_NO_DEVICE);
SAME_VALUE(CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME_VALUE(CUDA_ERROR_INVALID_PTX);
SAME_VALUE(CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
SAME_VALUE(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
SAME_VALUE(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
SAME_VALUE(CU_FUNC_ATTRIBUTE_NUM_REGS);
SAME_VALUE(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_VALUE(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
SAME_VALUE(CU_JIT_INFO_LOG_BUFFER);
SAME_VALUE(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER);
SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME_VALUE(CU_JIT_LOG_VERBOSE);
SAME_VALUE(CU_JIT_INPUT_PTX);
SAME_VALUE(CU_STREAM_CAPTURE_STATUS_NONE);
SAME_VALUE(CU_STREAM_CAPTURE_MODE_RELAXED);
SAME_VALUE(CU_STREAM_NON_BLOCKING);
SAME_VALUE(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME_VALUE(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
SAME_VALUE(CU_TENSOR_MAP_DATA_TYPE_UINT8);
SAME_VALUE(CU_TENSOR_MAP_DATA_TYPE_UINT16);
SAME_VALUE(CU_TENSOR_MAP_DATA_TYPE_INT32);
SAME_VALUE(CU_TENSOR_MAP_DATA_TYPE_INT64);
SAME_VALUE(CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
SAME_VALUE(CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
SAME_VALUE(CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
SAME_VALUE(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
SAME_VALUE(CU_TENSOR_MAP_INTERLEAVE_NONE);
SAME_VALUE(CU_TENSOR_MAP_SWIZZLE_NONE);
SAME_VALUE(CU_TENSOR_MAP_SWIZZLE_32B);
SAME_VALUE(CU_TENSOR_MAP_SWIZZLE_64B);
SAME_VALUE(CU_TENSOR_MAP_SWIZZLE_128B);
SAME_VALUE(CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
SAME_VALUE(CU_TENSOR_MAP_L2_PROMOTION_L2_256B);
SAME_VALUE(CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
SAME_VALUE(CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);

#define SAME_SIZE(name) static_assert(sizeof(ours::name) == sizeof(::name))
#define SAME_OFFSET(type, member) static_assert(offsetof(ours::type, member) == offsetof(::type, member))
SAME_SIZE(CUresult);
SAME_SIZE(CUdevice);
SAME_SIZE(CUdeviceptr);
SAME_SIZE(CUtensorMap);
static_assert(alignof(ours::CUtensorMap) == 64, "what the driver asks for; its C++ header asks for more");
SAME_SIZE(CUlaunchAttributeValue);
SAME_SIZE(CUlaunchAttribute);
SAME_OFFSET(CUlaunchAttribute, value);
SAME_OFFSET(CUlaunchAttributeValue, clusterDim.x);
SAME_OFFSET(CUlaunchAttributeValue, clusterDim.z);
SAME_OFFSET(CUlaunchAttributeValue, programmaticStreamSerializationAllowed);
SAME_SIZE(CUlaunchConfig);
SAME_OFFSET(CUlaunchConfig, gridDimX);
SAME_OFFSET(CUlaunchConfig, blockDimX);
SAME_OFFSET(CUlaunchConfig, sharedMemBytes);
SAME_OFFSET(CUlaunchConfig, hStream);
SAME_OFFSET(CUlaunchConfig, attrs);
SAME_OFFSET(CUlaunchConfig, numAttrs);

/// Two function types pass their parameters alike: as many, each of the same size and both pointers or neither.
template <typename Ours, typename Theirs> struct SamePassing : std::false_type {};
template <typename... Ours, typename... Theirs> struct SamePassing<ours::CUresult(Ours...), ::CUresult(Theirs...)> {
  // NOLINTBEGIN(bugprone-sizeof-expression): types of parameters, some of which are pointers
  template <typename A, typename B>
  static constexpr bool alike = sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B>;
  // NOLINTEND(bugprone-sizeof-expression)
  static constexpr bool check() {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs))
      return (alike<Ours, Theirs> && ...);
    return false;
  }
  static constexpr bool value = check();
};
static_assert(!SamePassing<ours::CUresult(int), ::CUresult(int *)>::value);
static_assert(!SamePassing<ours::CUresult(int), ::CUresult(long)>::value);
static_assert(!SamePassing<ours::CUresult(int), ::CUresult(int, int)>::value);

// cuda.h turns some names into versioned ones by macros; DriverSymbols.def spells the version out.
namespace tawa::cuda::declared {
#define TAWA_CUDA_FN(member, exported, params) using type_##exported = CUresult params;
#define TAWA_CUDA_OPTIONAL(member, exported, params) TAWA_CUDA_FN(member, exported, params)
#include "runtime/device/cuda/DriverSymbols.def"
#undef TAWA_CUDA_OPTIONAL
#undef TAWA_CUDA_FN
} // namespace tawa::cuda::declared

// Newer headers have only the next version of it.
extern "C" ::CUresult CUDAAPI cuStreamGetCaptureInfo_v2(::CUstream, ::CUstreamCaptureStatus *, cuuint64_t *, CUgraph *,
                                                        const CUgraphNode **, size_t *);

#define TAWA_CUDA_FN(member, exported, params)                                                                         \
  static_assert(SamePassing<ours::declared::type_##exported, decltype(::exported)>::value, #exported);
#define TAWA_CUDA_OPTIONAL(member, exported, params) TAWA_CUDA_FN(member, exported, params)
#include "runtime/device/cuda/DriverSymbols.def"

TEST(DriverTypes, AgreeWithTheToolkitsHeader) { EXPECT_GE(CUDA_VERSION, 12000) << "older headers lack what we use"; }
