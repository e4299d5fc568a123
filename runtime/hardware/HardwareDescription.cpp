// The table of keys, with parsing, checking and printing derived from it.
#include "runtime/hardware/HardwareDescription.h"

#include "runtime/artifact/Target.h"
#include "runtime/device/Device.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <set>
#include <span>

namespace tawa {

namespace {

struct Unit {
  std::string_view name;
  double factor;
};
// Each list ends with the unit that is printed if no other gives a number of at least 1.
constexpr Unit countUnits[] = {{"", 1}};
constexpr Unit byteUnits[] = {{"MiB", 1048576}, {"KiB", 1024}, {"B", 1}};
constexpr Unit rateUnits[] = {{"TB/s", 1e12}, {"GB/s", 1e9}};
constexpr Unit flopUnits[] = {{"TFLOP/s", 1e12}};
constexpr Unit clockUnits[] = {{"MHz", 1e6}};
constexpr Unit clockCountUnits[] = {{"clock", 1}};
constexpr Unit timeUnits[] = {{"us", 1e-6}, {"ns", 1e-9}};
constexpr Unit bytesPerClockUnits[] = {{"B/clock", 1}};
constexpr Unit flopPerClockUnits[] = {{"FLOP/clock", 1}};

struct Key {
  std::string_view name;
  double HardwareDescription::*member;
  std::span<const Unit> units;
  double least, most; ///< In SI units.
};
using HD = HardwareDescription;
constexpr Key keys[] = {
    {"multiprocessors", &HD::multiprocessors, countUnits, 1, 4096},
    {"clock", &HD::clock, clockUnits, 1e8, 1e10},
    {"l2", &HD::l2Bytes, byteUnits, 1 << 20, 1e12},
    {"shared_per_block", &HD::sharedPerBlock, byteUnits, 1024, 1e9},
    {"shared_per_multiprocessor", &HD::sharedPerMultiprocessor, byteUnits, 1024, 1e9},
    {"registers_per_multiprocessor", &HD::registersPerMultiprocessor, countUnits, 1024, 1e7},
    {"threads_per_multiprocessor", &HD::threadsPerMultiprocessor, countUnits, 32, 65536},
    {"memory_peak", &HD::memoryPeak, rateUnits, 1e9, 1e15},
    {"registers_per_thread", &HD::registersPerThread, countUnits, 16, 4096},
    {"ctas_per_multiprocessor", &HD::ctasPerMultiprocessor, countUnits, 1, 1024},
    {"shared_reserved_per_block", &HD::sharedReservedPerBlock, byteUnits, 0, 1 << 20},
    {"memory_rate", &HD::memoryRate, rateUnits, 1e9, 1e15},
    {"l2_rate", &HD::l2Rate, rateUnits, 1e9, 1e16},
    {"l2_distinct_rate", &HD::l2DistinctRate, rateUnits, 1e9, 1e16},
    {"port_rate", &HD::portPerClock, bytesPerClockUnits, 1, 65536},
    {"port_rate_broken", &HD::portBrokenPerClock, bytesPerClockUnits, 1, 65536},
    {"shared_rate", &HD::sharedPerClock, bytesPerClockUnits, 1, 65536},
    {"tensor_32bit", &HD::tensor32PerClock, flopPerClockUnits, 1, 1e7},
    {"tensor_16bit", &HD::tensor16PerClock, flopPerClockUnits, 1, 1e7},
    {"tensor_8bit", &HD::tensor8PerClock, flopPerClockUnits, 1, 1e7},
    {"vector_32bit", &HD::vectorPerClock, flopPerClockUnits, 1, 1e7},
    {"tensor_usable", &HD::tensorUsable, countUnits, 0.01, 1},
    {"power_tensor_32bit", &HD::powerTensor32, flopUnits, 1e9, 1e18},
    {"power_tensor_16bit", &HD::powerTensor16, flopUnits, 1e9, 1e18},
    {"power_tensor_8bit", &HD::powerTensor8, flopUnits, 1e9, 1e18},
    {"power_shared", &HD::powerShared, rateUnits, 1e9, 1e18},
    {"power_l2", &HD::powerL2, rateUnits, 1e9, 1e18},
    {"power_memory", &HD::powerMemory, rateUnits, 1e9, 1e18},
    {"launch_latency", &HD::launchLatency, timeUnits, 0, 1},
    {"cta_latency", &HD::ctaLatency, timeUnits, 0, 1},
    {"load_latency", &HD::loadLatency, timeUnits, 0, 1},
    {"bytes_under_way", &HD::bytesUnderWay, byteUnits, 1024, 1e9},
    {"busy_load_latency", &HD::busyLoadLatency, clockCountUnits, 1, 1e6},
    {"load_overhead", &HD::loadOverhead, timeUnits, 0, 1},
    {"absent_row", &HD::absentRow, timeUnits, 0, 1},
    {"dot_gap", &HD::dotGap, timeUnits, 0, 1},
    {"dot_gap_more", &HD::dotGapMore, timeUnits, 0, 1},
    {"store_rate", &HD::storePerClock, bytesPerClockUnits, 0.1, 65536},
    {"store_latency", &HD::storeLatency, timeUnits, 0, 1},
    {"part_rate", &HD::partPerClock, bytesPerClockUnits, 0.1, 65536},
    {"handover", &HD::handover, timeUnits, 0, 1},
    {"cluster_sync", &HD::clusterSync, timeUnits, 0, 1},
    {"clusters_of_3", &HD::clustersOf3, countUnits, 0.01, 1},
    {"clusters_of_4", &HD::clustersOf4, countUnits, 0.01, 1},
    {"clusters_of_5", &HD::clustersOf5, countUnits, 0.01, 1},
    {"clusters_of_6", &HD::clustersOf6, countUnits, 0.01, 1},
    {"clusters_of_7", &HD::clustersOf7, countUnits, 0.01, 1},
    {"clusters_of_8", &HD::clustersOf8, countUnits, 0.01, 1},
};

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string formatNumber(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.10g", value);
  return text;
}

/// "4150 GB/s": in the first unit that gives at least 1.
std::string formatValue(const Key &key, double value) {
  const Unit *chosen = &key.units.back();
  for (const Unit &unit : key.units)
    if (value >= unit.factor) {
      chosen = &unit;
      break;
    }
  std::string text = formatNumber(value / chosen->factor);
  return chosen->name.empty() ? text : text + " " + std::string(chosen->name);
}

std::string listUnits(const Key &key) {
  std::string text;
  for (const Unit &unit : key.units)
    text.append(text.empty() ? "" : " or ").append(unit.name);
  return text;
}

class Reader {
public:
  Reader(std::string_view file, const HardwareDescription::Base &base) : file(file), base(base) {}

  Result<HardwareDescription> read(std::string_view text) {
    for (size_t at = 0; at < text.size() && ++line;) {
      size_t end = std::min(text.find('\n', at), text.size());
      readLine(text.substr(at, end - at));
      at = end + 1;
    }
    if (mistakes.empty())
      checkWhole();
    if (mistakes.empty())
      return std::move(result);
    const Diagnostic &first = mistakes.front();
    std::string message = first.file + ":" + std::to_string(first.line) + ": " + first.message;
    return Status(StatusCode::InvalidArgument, std::move(message), std::move(mistakes));
  }

private:
  void mistake(size_t column, std::string message) {
    mistakes.push_back(
        {Diagnostic::Severity::Error, std::string(file), line, static_cast<int>(column) + 1, "", std::move(message)});
  }

  void readLine(std::string_view whole) {
    std::string_view text = trim(whole.substr(0, whole.find('#')));
    if (text.empty())
      return;
    auto column = [&](std::string_view part) { return static_cast<size_t>(part.data() - whole.data()); };
    size_t equals = text.find('=');
    if (equals == text.npos)
      return mistake(column(text), "'" + std::string(text) + "' is not of the form `key = value unit`");
    std::string_view name = trim(text.substr(0, equals)), value = trim(text.substr(equals + 1));
    if (!seen.insert(std::string(name)).second)
      return mistake(column(text), "'" + std::string(name) + "' is given twice; keep one of the lines");
    if (value.empty())
      return mistake(column(text), "'" + std::string(name) + "' has no value");
    if (name == "name")
      result.name = value;
    else if (name == "matches")
      result.matches = value;
    else if (name == "architecture")
      readArchitecture(column(value), value);
    else if (name == "base")
      readBase(column(value), value);
    else
      readNumber(column(text), name, column(value), value);
  }

  void readArchitecture(size_t column, std::string_view value) {
    result.architecture = value;
    if (Result<Architecture> parsed = parseArchitecture(value); !parsed)
      mistake(column, parsed.status().message());
  }

  void readBase(size_t column, std::string_view value) {
    if (!numbers.empty() || !base)
      return mistake(column, base ? "`base` must stand before the numbers that it gives defaults for"
                                  : "`base` cannot be used here: there is nothing to take defaults from");
    Result<HardwareDescription> found = base(value);
    if (!found)
      return mistake(column, found.status().message());
    found->name = result.name;
    found->matches = result.matches;
    if (!result.architecture.empty())
      found->architecture = result.architecture;
    result = std::move(*found);
    for (const Key &key : keys)
      numbers.insert(key.name);
  }

  void readNumber(size_t keyColumn, std::string_view name, size_t column, std::string_view value) {
    const auto *key = std::ranges::find(keys, name, &Key::name);
    if (key == std::end(keys))
      return mistake(keyColumn, "there is no key '" + std::string(name) + "'; gpus/template.hw lists all of them");
    double number = 0;
    auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || !std::isfinite(number))
      return mistake(column, "value of '" + std::string(name) + "' does not begin with a number");
    std::string_view unit = trim({end, static_cast<size_t>(value.data() + value.size() - end)});
    const auto found = std::ranges::find(key->units, unit, &Unit::name);
    if (found == key->units.end())
      return mistake(column, "'" + std::string(name) + "' " +
                                 (listUnits(*key).empty() ? "is a plain number, without a unit"
                                                          : "is given in " + listUnits(*key)) +
                                 ", not in '" + std::string(unit) + "'");
    number *= found->factor;
    if (number < key->least || number > key->most)
      return mistake(column, "'" + std::string(name) + "' = " + std::string(value) + " must be between " +
                                 formatValue(*key, key->least) + " and " + formatValue(*key, key->most));
    result.*key->member = number;
    numbers.insert(key->name);
  }

  void checkWhole() {
    if (result.name.empty())
      mistake(0, "there is no `name = ...`");
    const HardwareDescription defaults;
    for (const Key &key : keys)
      if (defaults.*key.member == 0 && !numbers.contains(key.name))
        mistake(0, "'" + std::string(key.name) + "' is missing; give it, or take defaults with `base = h200`");
    if (result.architecture.empty())
      mistake(0, "'architecture' is missing; give it as PTX names it, or take defaults with `base = h200`");
    if (mistakes.empty() && result.memoryRate > result.memoryPeak)
      mistake(0, "'memory_rate' exceeds 'memory_peak'; what is measured cannot be more than what the bus carries");
  }

  std::string_view file;
  const HardwareDescription::Base &base;
  HardwareDescription result;
  std::vector<Diagnostic> mistakes;
  std::set<std::string> seen;         ///< Keys of this text.
  std::set<std::string_view> numbers; ///< Keys that have a value, from this text or its base.
  int line = 0;
};

} // namespace

Result<HardwareDescription> HardwareDescription::parse(std::string_view text, std::string_view file, const Base &base) {
  return Reader(file, base).read(text);
}

std::string HardwareDescription::str() const {
  std::string text;
  auto add = [&](std::string_view key, const std::string &value) {
    text.append(key).append(28 - std::min<size_t>(key.size(), 28), ' ').append(" = ").append(value).append("\n");
  };
  add("name", name);
  if (!matches.empty())
    add("matches", matches);
  add("architecture", architecture);
  for (const Key &key : keys)
    add(key.name, formatValue(key, this->*key.member));
  return text;
}

double HardwareDescription::filledByClustersOf(int ctas) const {
  const double parts[] = {clustersOf3, clustersOf4, clustersOf5, clustersOf6, clustersOf7, clustersOf8};
  constexpr int kFirst = 3, kLast = kFirst + std::size(parts) - 1;
  return ctas < kFirst ? multiprocessors : std::round(multiprocessors * parts[std::min(ctas, kLast) - kFirst]);
}

void HardwareDescription::refine(const DeviceInfo &device) {
  auto take = [](double &into, double value) {
    if (value > 0)
      into = value;
  };
  take(multiprocessors, device.multiprocessors);
  take(clock, device.clockKHz * 1e3);
  take(l2Bytes, device.l2Bytes);
  take(sharedPerBlock, device.sharedBytesPerBlock);
  take(sharedPerMultiprocessor, device.sharedBytesPerMultiprocessor);
  take(registersPerMultiprocessor, device.registersPerMultiprocessor);
  take(threadsPerMultiprocessor, device.threadsPerMultiprocessor);
  double peak = 2.0 * device.memoryClockKHz * 1e3 * device.memoryBusBits / 8; // two transfers a clock
  if (peak > 0 && memoryPeak > 0) {
    memoryRate *= peak / memoryPeak;
    memoryPeak = peak;
  }
}

bool fitsPattern(std::string_view text, std::string_view pattern) {
  if (pattern.empty())
    return text.empty();
  if (pattern.front() != '*')
    return !text.empty() && text.front() == pattern.front() && fitsPattern(text.substr(1), pattern.substr(1));
  for (size_t skipped = 0; skipped <= text.size(); ++skipped)
    if (fitsPattern(text.substr(skipped), pattern.substr(1)))
      return true;
  return false;
}

} // namespace tawa
