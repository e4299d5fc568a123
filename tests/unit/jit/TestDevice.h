// A device that runs nothing and records everything: the inputs of a launch can be checked byte by byte.
#pragma once

#include "runtime/device/TensorMapRules.h"
#include "runtime/jit/Jit.h"

#include <cstring>

namespace tawa::test {

struct Recorder {
  int mapsEncoded = 0;
  int launches = 0;
  std::array<uint32_t, 3> grid{};
  std::vector<unsigned char> params;
};

/// Its tensor maps hold address and first dimension, after the real rules were checked.
class RecordingKernel final : public LoadedKernel {
public:
  explicit RecordingKernel(Recorder &recorder) : recorder(recorder) { facts.residentCtas = 3; }
  Status encodeTensorMap(const TensorMapRecipe &recipe, std::string_view argument, const ArgumentValue &value,
                         void *map) const override {
    auto geometry = tensorMapGeometry(recipe, argument, value);
    if (!geometry)
      return geometry.status();
    ++recorder.mapsEncoded;
    std::memset(map, 0, kTensorMapBytes);
    std::memcpy(map, &geometry->address, 8);
    std::memcpy(static_cast<char *>(map) + 8, geometry->dims.data(), 8);
    return Status::ok();
  }
  Status launch(const LaunchRequest &request) const override {
    ++recorder.launches;
    recorder.grid = request.grid;
    auto *bytes = static_cast<const unsigned char *>(request.params);
    recorder.params.assign(bytes, bytes + request.paramBytes);
    return Status::ok();
  }
  Status load(void *) const override { return Status::ok(); }
  Result<void *> function() const override { return static_cast<void *>(nullptr); }

private:
  Recorder &recorder;
};

class RecordingDevice final : public Device {
public:
  Recorder recorder;

  TargetKind target() const override { return TargetKind::Ptx; }
  Result<uint64_t> allocate(size_t) override { return uint64_t{0}; }
  Status free(uint64_t) override { return Status::ok(); }
  Status registerHost(uint64_t, size_t) override { return Status::ok(); }
  Status unregisterHost(uint64_t) override { return Status::ok(); }
  Status copyTo(uint64_t, const void *, size_t) override { return Status::ok(); }
  Status copyFrom(void *, uint64_t, size_t) override { return Status::ok(); }
  Status fill(uint64_t, uint8_t, size_t) override { return Status::ok(); }
  Status copyWithin(uint64_t, uint64_t, size_t) override { return Status::ok(); }
  Status synchronize(void *) override { return Status::ok(); }
  Status check() override { return Status::ok(); }
  Result<std::string> cubin(const KernelArtifact &) override { return std::string(); }
  Result<DeviceTime> time(void *, const std::function<Status()> &) override { return DeviceTime(); }
  Result<std::unique_ptr<LoadedKernel>> load(const KernelArtifact &) override {
    return std::unique_ptr<LoadedKernel>(std::make_unique<RecordingKernel>(recorder));
  }
};

inline LogicalArgument tensorArgument(std::string name, uint32_t rank, uint32_t alignment = 0) {
  LogicalArgument argument;
  argument.kind = LogicalArgument::Kind::Tensor;
  argument.name = std::move(name);
  argument.elementType = ElementType::F16;
  argument.rank = rank;
  argument.alignment = alignment;
  return argument;
}

inline LogicalArgument integerArgument(std::string name, uint32_t divisor = 0) {
  LogicalArgument argument;
  argument.name = std::move(name);
  argument.alignment = divisor;
  return argument;
}

inline LogicalArgument constantArgument(std::string name, int64_t value) {
  LogicalArgument argument = integerArgument(std::move(name));
  argument.kind = LogicalArgument::Kind::Constant;
  argument.value = value;
  return argument;
}

inline ArgumentValue tensorValue(uint64_t address, std::vector<int64_t> shape, std::vector<int64_t> strides = {}) {
  ArgumentValue value;
  value.kind = LogicalArgument::Kind::Tensor;
  value.elementType = ElementType::F16;
  value.address = address;
  value.rank = static_cast<uint32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), value.shape.begin());
  setContiguousStrides(shape.data(), value.rank, value.strides.data());
  std::copy(strides.begin(), strides.end(), value.strides.begin());
  return value;
}

inline ArgumentValue integerValue(int32_t number, LogicalArgument::Kind kind = LogicalArgument::Kind::Scalar) {
  ArgumentValue value;
  value.kind = kind;
  value.bits = static_cast<uint32_t>(number);
  return value;
}

} // namespace tawa::test
