// Names of status codes, and the proof that the public enums are ours, number by number.
#include "capi/boundary/Wrap.h"

#include <iterator>

using tawa::ElementType;
using tawa::StatusCode;

#define TAWA_SAME(publicName, ours) static_assert(static_cast<int>(publicName) == static_cast<int>(ours))
TAWA_SAME(TAWA_OK, StatusCode::Ok);
TAWA_SAME(TAWA_E_INVALID_ARGUMENT, StatusCode::InvalidArgument);
TAWA_SAME(TAWA_E_INVALID_IR, StatusCode::InvalidIR);
TAWA_SAME(TAWA_E_UNSUPPORTED, StatusCode::Unsupported);
TAWA_SAME(TAWA_E_COMPILE_FAILED, StatusCode::CompileFailed);
TAWA_SAME(TAWA_E_PTX_REJECTED, StatusCode::PtxRejected);
TAWA_SAME(TAWA_E_CUDA, StatusCode::Cuda);
TAWA_SAME(TAWA_E_NO_DEVICE, StatusCode::NoDevice);
TAWA_SAME(TAWA_E_TARGET_MISMATCH, StatusCode::TargetMismatch);
TAWA_SAME(TAWA_E_SHAPE_MISMATCH, StatusCode::ShapeMismatch);
TAWA_SAME(TAWA_E_CACHE_MISS, StatusCode::CacheMiss);
TAWA_SAME(TAWA_E_CAPTURE_UNSAFE, StatusCode::CaptureUnsafe);
TAWA_SAME(TAWA_E_CACHE_IO, StatusCode::CacheIO);
TAWA_SAME(TAWA_E_CACHE_CORRUPT, StatusCode::CacheCorrupt);
TAWA_SAME(TAWA_E_BUSY, StatusCode::Busy);
TAWA_SAME(TAWA_E_TIMEOUT, StatusCode::Timeout);
TAWA_SAME(TAWA_E_CANCELLED, StatusCode::Cancelled);
TAWA_SAME(TAWA_E_NO_VALID_CANDIDATE, StatusCode::NoValidCandidate);
TAWA_SAME(TAWA_E_REFERENCE_MISMATCH, StatusCode::ReferenceMismatch);
TAWA_SAME(TAWA_E_OUT_OF_MEMORY, StatusCode::OutOfMemory);
TAWA_SAME(TAWA_E_ABI_MISMATCH, StatusCode::AbiMismatch);
TAWA_SAME(TAWA_E_FORKED, StatusCode::Forked);
TAWA_SAME(TAWA_E_EMULATOR, StatusCode::Emulator);
TAWA_SAME(TAWA_E_INTERNAL, StatusCode::Internal);

TAWA_SAME(TAWA_I1, ElementType::I1);
TAWA_SAME(TAWA_I8, ElementType::I8);
TAWA_SAME(TAWA_I16, ElementType::I16);
TAWA_SAME(TAWA_I32, ElementType::I32);
TAWA_SAME(TAWA_I64, ElementType::I64);
TAWA_SAME(TAWA_F8E4M3, ElementType::F8E4M3);
TAWA_SAME(TAWA_F8E5M2, ElementType::F8E5M2);
TAWA_SAME(TAWA_F16, ElementType::F16);
TAWA_SAME(TAWA_BF16, ElementType::BF16);
TAWA_SAME(TAWA_F32, ElementType::F32);
TAWA_SAME(TAWA_F64, ElementType::F64);

TAWA_SAME(TAWA_ARG_TENSOR, tawa::LogicalArgument::Kind::Tensor);
TAWA_SAME(TAWA_ARG_SCALAR, tawa::LogicalArgument::Kind::Scalar);
TAWA_SAME(TAWA_ARG_CONSTANT, tawa::LogicalArgument::Kind::Constant);

TAWA_SAME(TAWA_SEVERITY_ERROR, tawa::Diagnostic::Severity::Error);
TAWA_SAME(TAWA_SEVERITY_WARNING, tawa::Diagnostic::Severity::Warning);
TAWA_SAME(TAWA_SEVERITY_REMARK, tawa::Diagnostic::Severity::Remark);
TAWA_SAME(TAWA_SEVERITY_NOTE, tawa::Diagnostic::Severity::Note);

TAWA_SAME(TAWA_LOG_ERROR, tawa::LogLevel::Error);
TAWA_SAME(TAWA_LOG_WARNING, tawa::LogLevel::Warning);
TAWA_SAME(TAWA_LOG_INFO, tawa::LogLevel::Info);
TAWA_SAME(TAWA_LOG_DEBUG, tawa::LogLevel::Debug);

static_assert(TAWA_MAX_RANK == tawa::kMaxRank);
static_assert(TAWA_UNKNOWN == tawa::kUnknownExtent && TAWA_UNKNOWN == tawa::ArgumentFacts::kUnknown);
#undef TAWA_SAME

extern "C" const char *tawa_status_name(tawa_status_t status) {
  static constexpr const char *names[] = {
      "TAWA_OK",
      "TAWA_E_INVALID_ARGUMENT",
      "TAWA_E_INVALID_IR",
      "TAWA_E_UNSUPPORTED",
      "TAWA_E_COMPILE_FAILED",
      "TAWA_E_PTX_REJECTED",
      "TAWA_E_CUDA",
      "TAWA_E_NO_DEVICE",
      "TAWA_E_TARGET_MISMATCH",
      "TAWA_E_SHAPE_MISMATCH",
      "TAWA_E_CACHE_MISS",
      "TAWA_E_CAPTURE_UNSAFE",
      "TAWA_E_CACHE_IO",
      "TAWA_E_CACHE_CORRUPT",
      "TAWA_E_BUSY",
      "TAWA_E_TIMEOUT",
      "TAWA_E_CANCELLED",
      "TAWA_E_NO_VALID_CANDIDATE",
      "TAWA_E_REFERENCE_MISMATCH",
      "TAWA_E_OUT_OF_MEMORY",
      "TAWA_E_ABI_MISMATCH",
      "TAWA_E_FORKED",
      "TAWA_E_EMULATOR",
      "TAWA_E_INTERNAL",
  };
  static_assert(std::size(names) == static_cast<size_t>(TAWA_E_INTERNAL) + 1);
  auto index = static_cast<size_t>(status);
  return index < std::size(names) ? names[index] : "TAWA_E_UNKNOWN";
}
