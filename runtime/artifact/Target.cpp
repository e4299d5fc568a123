// The table of limits, with printing and parsing derived from it.
#include "runtime/artifact/Target.h"

#include <algorithm>
#include <charconv>

namespace tawa {

namespace {

constexpr TargetLimit kLimits[] = {
    {"shared_per_block", &Target::sharedPerBlock},
    {"registers_per_multiprocessor", &Target::registersPerMultiprocessor},
    {"registers_per_thread", &Target::registersPerThread},
    {"threads_per_multiprocessor", &Target::threadsPerMultiprocessor},
    {"ctas_per_multiprocessor", &Target::ctasPerMultiprocessor},
    {"l2", &Target::l2},
    {"tensor_16bit", &Target::tensor16Bit},
    {"bytes_under_way", &Target::bytesUnderWay},
    {"busy_load_latency", &Target::busyLoadLatency},
};

Status malformed(const std::string &what) { return {StatusCode::InvalidArgument, "target description: " + what}; }

/// One `name=number`.
Status readLimit(std::string_view word, Target &target) {
  size_t equals = std::min(word.find('='), word.size());
  std::string_view name = word.substr(0, equals), value = word.substr(std::min(equals + 1, word.size()));
  const TargetLimit *limit = findLimit(name);
  if (!limit)
    return malformed("there is no limit '" + std::string(name) + "'");
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), target.*limit->member);
  if (error != std::errc() || end != value.data() + value.size())
    return malformed("'" + std::string(word) + "' has no whole number");
  return Status::ok();
}

} // namespace

std::span<const TargetLimit> targetLimits() { return kLimits; }

const TargetLimit *findLimit(std::string_view name) {
  const auto *limit = std::ranges::find(kLimits, name, &TargetLimit::name);
  return limit == std::end(kLimits) ? nullptr : limit;
}

Target Target::shareFor(int ctas) const {
  Target share = *this;
  share.sharedPerBlock = sharedOfShare(sharedPerBlock, ctas);
  for (int64_t Target::*part : {&Target::registersPerMultiprocessor, &Target::threadsPerMultiprocessor,
                                &Target::ctasPerMultiprocessor, &Target::bytesUnderWay})
    share.*part /= ctas;
  return share;
}

std::string Target::str() const {
  std::string text = architecture;
  for (const TargetLimit &limit : kLimits)
    text.append(" ").append(limit.name).append("=").append(std::to_string(this->*limit.member));
  return text;
}

Result<Target> Target::parse(std::string_view text) {
  Target target;
  size_t end = std::min(text.find(' '), text.size());
  target.architecture = text.substr(0, end);
  if (Result<Architecture> architecture = parseArchitecture(target.architecture); !architecture)
    return architecture.status();
  while (end < text.size()) {
    size_t begin = end + 1;
    end = std::min(text.find(' ', begin), text.size());
    if (Status status = readLimit(text.substr(begin, end - begin), target); !status)
      return status;
  }
  for (const TargetLimit &limit : kLimits)
    if (target.*limit.member <= 0)
      return malformed("'" + std::string(limit.name) + "' is missing or not positive");
  return target;
}

bool Target::has(Feature feature) const {
  Result<Architecture> parsed = parseArchitecture(architecture);
  return parsed && parsed->has(feature);
}

Status checkCodeFor(const Target &target) {
  std::span<const std::string_view> all = codeArchitectures();
  if (std::ranges::find(all, target.architecture) != all.end())
    return Status::ok();
  std::string known;
  for (std::string_view architecture : all)
    known.append(known.empty() ? "" : ", ").append(architecture);
  return {StatusCode::TargetMismatch, "hardware description '" + target.description + "' is of architecture " +
                                          target.architecture + ", and this version makes code for " + known +
                                          "; name a description of such a GPU (`tawa hardware --list`), or correct " +
                                          "its line `architecture`"};
}

} // namespace tawa
