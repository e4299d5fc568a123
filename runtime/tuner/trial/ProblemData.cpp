// Allocates, fills and checks the tensors of a search.
#include "runtime/tuner/trial/ProblemData.h"

#include "runtime/emulator/Floats.h"
#include "runtime/support/InParallel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numbers>
#include <thread>

namespace tawa {

namespace {

constexpr size_t kZone = 4096;                      // a tile's row that is stored one too far is within it
constexpr uint8_t kZoneByte = 0xA5, kPoison = 0xFF; // the latter is NaN in every float type
constexpr size_t kPatternElements = 1 << 20; // of random numbers; larger tensors repeat them, shifted from row to row

uint64_t mix(uint64_t x) { // the finalizer of SplitMix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

double normalNumber(uint64_t seed, uint64_t index) {
  uint64_t bits = mix(mix(seed + 0x9e3779b97f4a7c15u) + (index + 1) * 0x9e3779b97f4a7c15u);
  double radius = std::sqrt(-2.0 * std::log((static_cast<double>(bits >> 32) + 1.0) * 0x1p-32));
  return radius * std::cos(2.0 * std::numbers::pi * static_cast<double>(bits & 0xffffffffu) * 0x1p-32);
}

template <typename T> void store(std::byte *at, T value) { std::memcpy(at, &value, sizeof(value)); }
template <typename T> T fetch(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

void writeNumber(ElementType type, std::byte *at, double number) {
  auto real = static_cast<float>(number);
  auto whole = static_cast<int64_t>(std::lround(number * 4)) % 8; // small, so that sums of products stay exact
  switch (type) {
  case ElementType::F16:
    return store(at, emu::floatToHalf(real));
  case ElementType::BF16:
    return store(at, emu::floatToBFloat(real));
  case ElementType::F8E4M3:
  case ElementType::F8E5M2:
    return store(at, emu::floatToFp8(type, real));
  case ElementType::F32:
    return store(at, real);
  case ElementType::F64:
    return store(at, number);
  case ElementType::I1:
    return store(at, static_cast<uint8_t>(whole & 1));
  case ElementType::I8:
    return store(at, static_cast<int8_t>(whole));
  case ElementType::I16:
    return store(at, static_cast<int16_t>(whole));
  case ElementType::I32: // wide ones may be indices, of which few are negative
    return store(at, static_cast<int32_t>(std::abs(whole)));
  case ElementType::I64:
    return store(at, std::abs(whole));
  }
}

double readNumber(ElementType type, const std::byte *at) {
  switch (type) {
  case ElementType::F16:
    return emu::halfToFloat(fetch<uint16_t>(at));
  case ElementType::BF16:
    return emu::bfloatToFloat(fetch<uint16_t>(at));
  case ElementType::F8E4M3:
  case ElementType::F8E5M2:
    return emu::fp8ToFloat(type, fetch<uint8_t>(at));
  case ElementType::F32:
    return fetch<float>(at);
  case ElementType::F64:
    return fetch<double>(at);
  default:
    return 0;
  }
}

/// All numbers of a type of at most 16 bits, by their bits: a tensor has many more elements, and a conversion takes
/// longer than a look-up.
template <typename Bits> std::vector<float> allNumbers(ElementType type) {
  std::vector<float> numbers(size_t{1} << (8 * sizeof(Bits)));
  for (size_t i = 0; i < numbers.size(); ++i) {
    auto bits = static_cast<Bits>(i);
    numbers[i] = static_cast<float>(readNumber(type, reinterpret_cast<const std::byte *>(&bits)));
  }
  return numbers;
}

/// The permitted effect of rounding on the norm of a result, and, times its root mean square, on a single element. Sums
/// of wgmma in FP8 have 14 bits or so, which shows in results of other types too.
double tolerance(ElementType type) {
  switch (type) {
  case ElementType::F8E4M3:
    return 0.1;
  case ElementType::F8E5M2:
    return 0.2;
  default:
    return 0.01;
  }
}

/// Elements from the first to the last that the strides reach.
size_t reachOf(const ArgumentValue &value) {
  size_t last = 0;
  for (uint32_t i = 0; i < value.rank; ++i) {
    if (value.shape[i] <= 0)
      return 0;
    last += static_cast<size_t>((value.shape[i] - 1) * std::abs(value.strides[i]));
  }
  return last + 1;
}

std::vector<std::byte> randomBytes(ElementType type, size_t elements, uint64_t seed) {
  size_t width = elementBytes(type), pattern = std::min(elements, kPatternElements);
  std::vector<std::byte> bytes(elements * width);
  for (size_t i = 0; i < pattern; ++i)
    writeNumber(type, &bytes[i * width], normalNumber(seed, i));
  // An odd shift, so that rows of a matrix do not come out alike.
  constexpr size_t kShift = 1237;
  for (size_t at = pattern; at < elements;) {
    size_t from = (at * kShift) % (pattern - std::min(pattern - 1, kShift)),
           count = std::min(elements - at, pattern - from);
    std::memcpy(&bytes[at * width], &bytes[from * width], count * width);
    at += count;
  }
  return bytes;
}

std::string format(const char *pattern, double a, double b) {
  char text[160];
  std::snprintf(text, sizeof(text), pattern, a, b);
  return text;
}

} // namespace

namespace {

/// Differences between two arrays over one range.
struct Difference {
  double squares = 0, norm = 0; ///< Of the differences and of the reference.
  size_t finite = 0;
  double largest = 0; ///< Of single differences that are large beside their own element.
  size_t largestAt = 0;
  size_t unlikeAt = SIZE_MAX; ///< The first element that is finite on one side only.

  void add(const Difference &other) {
    squares += other.squares;
    norm += other.norm;
    finite += other.finite;
    if (other.largest > largest) {
      largest = other.largest;
      largestAt = other.largestAt;
    }
    unlikeAt = std::min(unlikeAt, other.unlikeAt);
  }
};

constexpr double kSingle = 20; // times the tolerance of the whole, a single element may be off

/// `number` gives what the bits of an element mean.
template <typename T, typename Number>
Difference compareStretch(const std::byte *values, const std::byte *reference, size_t begin, size_t end, double most,
                          Number number) {
  Difference found;
  for (size_t i = begin; i < end; ++i) {
    double value = number(fetch<T>(values + i * sizeof(T))), truth = number(fetch<T>(reference + i * sizeof(T)));
    if (!std::isfinite(value) || !std::isfinite(truth)) {
      bool isSame = value == truth || (std::isnan(value) && std::isnan(truth));
      if (!isSame)
        found.unlikeAt = std::min(found.unlikeAt, i);
      continue;
    }
    double difference = std::abs(value - truth);
    ++found.finite;
    found.squares += difference * difference;
    found.norm += truth * truth;
    if (difference > most * std::abs(truth) && difference > found.largest) {
      found.largest = difference;
      found.largestAt = i;
    }
  }
  return found;
}

/// All ranges, on as many threads as pay for this many elements.
template <typename T, typename Number>
Difference compareElements(const std::byte *values, const std::byte *reference, size_t count, double most,
                           Number number) {
  constexpr size_t kStretch = 1 << 18;
  size_t threads = std::min<size_t>(std::max(1u, std::thread::hardware_concurrency()), count / kStretch + 1);
  std::vector<Difference> found(threads);
  inParallel(threads, threads, [&](size_t part) {
    size_t begin = count * part / threads, end = count * (part + 1) / threads;
    found[part] = compareStretch<T>(values, reference, begin, end, most, number);
  });
  for (size_t part = 1; part < threads; ++part)
    found[0].add(found[part]);
  return found[0];
}

template <typename Bits>
Difference compareByTable(ElementType type, const std::byte *values, const std::byte *reference, size_t count,
                          double most) {
  std::vector<float> numbers = allNumbers<Bits>(type);
  return compareElements<Bits>(values, reference, count, most, [&](Bits bits) { return numbers[bits]; });
}

Difference compareAll(ElementType type, const std::byte *values, const std::byte *reference, size_t count) {
  double most = kSingle * tolerance(type);
  auto asItIs = [](auto number) { return number; };
  if (type == ElementType::F64)
    return compareElements<double>(values, reference, count, most, asItIs);
  if (type == ElementType::F32)
    return compareElements<float>(values, reference, count, most, asItIs);
  return elementBytes(type) == 1 ? compareByTable<uint8_t>(type, values, reference, count, most)
                                 : compareByTable<uint16_t>(type, values, reference, count, most);
}

} // namespace

std::string differenceOf(ElementType type, const std::byte *values, const std::byte *reference, size_t count) {
  size_t width = elementBytes(type);
  if (!isFloat(type)) {
    auto [mine, theirs] = std::mismatch(values, values + count * width, reference);
    if (mine == values + count * width)
      return {};
    return "element " + std::to_string(static_cast<size_t>(mine - values) / width) + " differs";
  }
  Difference found = compareAll(type, values, reference, count);
  auto element = [&](size_t at) {
    return "element " + std::to_string(at) +
           format(" is %g where the plain form gives %g", readNumber(type, values + at * width),
                  readNumber(type, reference + at * width));
  };
  if (found.unlikeAt != SIZE_MAX)
    return element(found.unlikeAt);
  double most = tolerance(type), rms = std::sqrt(found.norm / static_cast<double>(std::max<size_t>(found.finite, 1)));
  if (std::sqrt(found.squares) > most * std::sqrt(found.norm))
    return format("relative error %.2e, more than %.0e", std::sqrt(found.squares / std::max(found.norm, 1e-300)), most);
  return found.largest > kSingle * most * rms ? element(found.largestAt) : std::string();
}

static void collectUses(const std::vector<WorkStep> &steps, std::vector<TensorUse> &uses) {
  for (const WorkStep &step : steps) {
    collectUses(step.body, uses);
    collectUses(step.otherwise, uses);
    bool isLoad = step.kind == WorkStep::Kind::Load, isStore = step.kind == WorkStep::Kind::Store;
    for (size_t i = 0; i < uses.size() && (isLoad || isStore); ++i) {
      bool concerns = step.access.argument < 0 || static_cast<size_t>(step.access.argument) == i;
      uses[i].isRead |= concerns && isLoad;
      uses[i].isWritten |= concerns && isStore;
    }
  }
}

std::vector<TensorUse> tensorUses(const WorkSummary &summary) {
  std::vector<TensorUse> uses(summary.arguments.size());
  for (const RoleWork &role : summary.roles)
    collectUses(role.steps, uses);
  return uses;
}

size_t bytesReached(const ArgumentValue &tensor) { return reachOf(tensor) * elementBytes(tensor.elementType); }

Result<ProblemData> ProblemData::create(Device &device, std::span<const ArgumentValue> arguments,
                                        std::vector<TensorUse> uses, std::span<const std::string> contents,
                                        uint64_t seed) {
  ProblemData data(device);
  data.values.assign(arguments.begin(), arguments.end());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].kind != LogicalArgument::Kind::Tensor)
      continue;
    std::string_view content = i < contents.size() ? std::string_view(contents[i]) : std::string_view();
    if (Status status = data.add(i, uses[i], content, seed + i); !status)
      return status;
  }
  return data;
}

ProblemData::~ProblemData() {
  for (const Buffer &buffer : buffers)
    static_cast<void>(device.free(buffer.address));
}

Status ProblemData::add(size_t argument, TensorUse use, std::string_view content, uint64_t seed) {
  ArgumentValue &value = values[argument];
  size_t elements = reachOf(value);
  Buffer buffer{argument, 0, elements * elementBytes(value.elementType), use, {}, {}};
  Result<uint64_t> address = device.allocate(buffer.bytes + 2 * kZone);
  if (!address)
    return address.status();
  buffer.address = *address;
  value.address = *address + kZone;
  buffers.push_back(std::move(buffer));
  Buffer &added = buffers.back();
  if (Status status = device.fill(added.address, kZoneByte, added.bytes + 2 * kZone); !status)
    return status;
  if (!use.isRead || elements == 0)
    return Status::ok();
  if (!content.empty() && content.size() != added.bytes)
    return {StatusCode::InvalidArgument, "argument " + std::to_string(argument) + " has " +
                                             std::to_string(added.bytes) + " bytes, its contents " +
                                             std::to_string(content.size())};
  std::vector<std::byte> bytes(content.size());
  std::memcpy(bytes.data(), content.data(), content.size());
  if (content.empty())
    bytes = randomBytes(value.elementType, elements, seed);
  Status status = device.copyTo(value.address, bytes.data(), bytes.size());
  if (use.isWritten)
    added.initial = std::move(bytes);
  return status;
}

Status ProblemData::reset() {
  for (const Buffer &buffer : buffers) {
    if (!buffer.use.isWritten || buffer.bytes == 0)
      continue;
    uint64_t tensor = buffer.address + kZone;
    Status status = buffer.initial.empty() ? device.fill(tensor, kPoison, buffer.bytes)
                                           : device.copyTo(tensor, buffer.initial.data(), buffer.bytes);
    if (!status)
      return status;
    for (uint64_t zone : {buffer.address, tensor + buffer.bytes})
      if (Status filled = device.fill(zone, kZoneByte, kZone); !filled)
        return filled;
  }
  return Status::ok();
}

Status ProblemData::keepReference() {
  for (Buffer &buffer : buffers) {
    if (!buffer.use.isWritten)
      continue;
    buffer.reference.resize(buffer.bytes);
    if (Status status = device.copyFrom(buffer.reference.data(), buffer.address + kZone, buffer.bytes); !status)
      return status;
    if (Status status = checkZones(buffer); !status)
      return status;
  }
  return Status::ok();
}

Status ProblemData::checkZones(const Buffer &buffer) {
  std::vector<std::byte> zone(kZone);
  for (uint64_t address : {buffer.address, buffer.address + kZone + buffer.bytes}) {
    if (Status status = device.copyFrom(zone.data(), address, kZone); !status)
      return status;
    if (std::ranges::count(zone, std::byte{kZoneByte}) != static_cast<ptrdiff_t>(kZone))
      return {StatusCode::ReferenceMismatch,
              "the kernel writes outside of argument " + std::to_string(buffer.argument)};
  }
  return Status::ok();
}

Status ProblemData::compare() {
  for (const Buffer &buffer : buffers) {
    if (!buffer.use.isWritten)
      continue;
    if (Status status = checkZones(buffer); !status)
      return status;
    written.resize(std::max(written.size(), buffer.bytes));
    if (Status status = device.copyFrom(written.data(), buffer.address + kZone, buffer.bytes); !status)
      return status;
    ElementType type = values[buffer.argument].elementType;
    std::string difference =
        differenceOf(type, written.data(), buffer.reference.data(), buffer.bytes / elementBytes(type));
    if (!difference.empty())
      return {StatusCode::ReferenceMismatch,
              "wrong result in argument " + std::to_string(buffer.argument) + ": " + difference};
  }
  return Status::ok();
}

} // namespace tawa
