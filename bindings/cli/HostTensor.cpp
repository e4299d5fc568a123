// Host tensors of HostTensor.h. Random numbers are counter-based: a hash of (seed, index), then Box-Muller.
#include "bindings/cli/HostTensor.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>

namespace tawa::cli {

HostTensor::HostTensor(tawa_dtype_t type, std::vector<int64_t> shape) : type(type), shape(std::move(shape)) {
  bytes.resize(elements() * elementBytes(type));
}

size_t HostTensor::elements() const {
  size_t count = 1;
  for (int64_t extent : shape)
    count *= static_cast<size_t>(extent);
  return count;
}

std::vector<int64_t> HostTensor::strides() const {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::string HostTensor::describe() const {
  std::string text(elementName(type));
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "," : "[") + std::to_string(shape[i]);
  return shape.empty() ? text : text + "]";
}

uint64_t randomBits(uint64_t seed, uint64_t counter) {
  // The finalizer of SplitMix64, twice: once to spread the seed, once over the counter's own sequence.
  auto mix = [](uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  };
  return mix(mix(seed + 0x9e3779b97f4a7c15u) + (counter + 1) * 0x9e3779b97f4a7c15u);
}

/// One normal number from one hash: 32 bits make the radius, 32 the angle.
static double normalNumber(uint64_t seed, uint64_t index) {
  uint64_t bits = randomBits(seed, index);
  double radius = std::sqrt(-2.0 * std::log((static_cast<double>(bits >> 32) + 1.0) * 0x1p-32));
  return radius * std::cos(2.0 * std::numbers::pi * static_cast<double>(bits & 0xffffffffu) * 0x1p-32);
}

void HostTensor::fillNormal(uint64_t seed) {
  bool real = isFloat(type);
  parallelFor(elements(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      double value = real ? normalNumber(seed, i) : static_cast<double>(static_cast<int>(randomBits(seed, i) % 16)) - 8;
      writeElement(bytes.data(), i, type, value);
    }
  });
}

void HostTensor::fill(const TensorFilling &filling, uint64_t seed) {
  if (filling.isNormal)
    return fillNormal(seed);
  parallelFor(elements(), [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      double part = static_cast<double>(randomBits(seed, i) >> 11) * 0x1p-53;
      double value = filling.low + (filling.high - filling.low) * part;
      writeElement(bytes.data(), i, type, isFloat(type) ? value : std::floor(value));
    }
  });
}

void HostTensor::poison() { std::fill(bytes.begin(), bytes.end(), 0xff); }

void parallelFor(size_t count, const std::function<void(size_t, size_t)> &work) {
  size_t workers = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, std::max<size_t>(count / 4096, 1));
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers; ++i)
    threads.emplace_back([&, i] { work(count * i / workers, count * (i + 1) / workers); });
  work(0, count / workers);
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace tawa::cli
