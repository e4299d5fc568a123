// Reads tune requests, and serializes them as jobs for a worker. A job is a list of fields: a line with name and
// length, then so many bytes and a line break.
#include "capi/service/TuneCall.h"

#include "capi/service/LargeStack.h"
#include "runtime/store/BuildLock.h"

#include <charconv>
#include <map>
#include <sstream>

namespace tawa::capi {

namespace {

void addField(std::string &text, std::string_view name, std::string_view bytes) {
  text.append(name).append(" ").append(std::to_string(bytes.size())).append("\n").append(bytes).append("\n");
}

Status malformed(std::string_view what) { return {StatusCode::InvalidArgument, "tuning job: " + std::string(what)}; }

Result<std::multimap<std::string, std::string>> readFields(std::string_view text) {
  std::multimap<std::string, std::string> fields;
  while (!text.empty()) {
    size_t space = text.find(' '), line = text.find('\n');
    if (space == text.npos || line == text.npos || space > line)
      return malformed("a field has no length");
    size_t length = 0;
    auto [end, error] = std::from_chars(text.data() + space + 1, text.data() + line, length);
    if (error != std::errc() || end != text.data() + line || length >= text.size() - line)
      return malformed("the length of a field is wrong");
    fields.emplace(text.substr(0, space), text.substr(line + 1, length));
    text.remove_prefix(line + 1 + length + 1);
  }
  return fields;
}

/// Numbers of one argument, in this order.
std::string writeArgument(const ArgumentFacts &facts, const ArgumentValue &value, TensorUse use) {
  std::ostringstream out;
  out << static_cast<int>(facts.kind) << ' ' << static_cast<int>(facts.elementType) << ' ' << facts.alignment << ' '
      << facts.rowAlignment << ' ' << facts.columnAlignment << ' ' << facts.value << ' ' << value.bits << ' '
      << use.isRead << ' ' << use.isWritten << ' ' << value.rank;
  for (uint32_t i = 0; i < value.rank; ++i)
    out << ' ' << value.shape[i] << ' ' << value.strides[i];
  return out.str();
}

Status readArgument(const std::string &text, TuneJob &job) {
  std::istringstream in(text);
  int kind = -1, type = -1;
  ArgumentFacts facts;
  ArgumentValue value;
  TensorUse use;
  in >> kind >> type >> facts.alignment >> facts.rowAlignment >> facts.columnAlignment >> facts.value >> value.bits >>
      use.isRead >> use.isWritten >> value.rank;
  bool isSound = in && kind >= 0 && kind <= static_cast<int>(LogicalArgument::Kind::Constant) && type >= 0 &&
                 type <= static_cast<int>(ElementType::F64) && value.rank <= kMaxRank;
  if (!isSound)
    return malformed("an argument cannot be read");
  facts.kind = value.kind = static_cast<LogicalArgument::Kind>(kind);
  facts.elementType = value.elementType = static_cast<ElementType>(type);
  for (uint32_t i = 0; i < value.rank; ++i)
    in >> value.shape[i] >> value.strides[i];
  if (!in)
    return malformed("an argument cannot be read");
  facts.shape.assign(value.shape.begin(), value.shape.begin() + value.rank);
  facts.strides.assign(value.strides.begin(), value.strides.begin() + value.rank);
  job.facts.push_back(std::move(facts));
  job.values.push_back(value);
  job.uses.push_back(use);
  return Status::ok();
}

} // namespace

std::string TuneJob::beginning() const {
  std::string written;
  addField(written, "device", device);
  addField(written, "worker", worker);
  addField(written, kBeginningEnd, std::to_string(assemblers));
  return written;
}

std::string TuneJob::str(std::span<const size_t> which, uint32_t onThreads, double withinSeconds) const {
  std::string written = beginning();
  addField(written, "name", name);
  addField(written, "text", text);
  addField(written, "target", gpu.str());
  std::ostringstream numbers;
  numbers << grid[0] << ' ' << grid[1] << ' ' << grid[2] << ' ' << seed << ' ' << onThreads << ' ' << withinSeconds
          << ' ' << l2Bytes << ' ' << wanted << ' ' << refined << ' ' << isForAssembly;
  addField(written, "numbers", numbers.str());
  addField(written, "turn-file", turnFile);
  for (size_t i = 0; i < values.size(); ++i)
    addField(written, "argument", writeArgument(facts[i], values[i], uses[i]));
  for (size_t i = 0; i < contents.size() && !isForAssembly; ++i)
    addField(written, "contents", contents[i]);
  for (size_t index : which)
    addField(written, "candidate", candidates[index].str());
  addField(written, kJobEnd, "");
  return written;
}

Result<TuneJob> TuneJob::parse(std::string_view text) {
  auto fields = readFields(text);
  if (!fields)
    return fields.status();
  TuneJob job;
  std::string target;
  for (auto [name, into] :
       {std::pair("device", &job.device), std::pair("name", &job.name), std::pair("text", &job.text),
        std::pair("target", &target), std::pair("worker", &job.worker), std::pair("turn-file", &job.turnFile)}) {
    auto found = fields->find(name);
    if (found == fields->end())
      return malformed(std::string(name) + " is missing");
    *into = found->second;
  }
  Result<Target> gpu = Target::parse(target);
  if (!gpu)
    return gpu.status();
  job.gpu = std::move(*gpu);
  auto found = fields->find("numbers");
  std::istringstream numbers(found == fields->end() ? std::string() : found->second);
  numbers >> job.grid[0] >> job.grid[1] >> job.grid[2] >> job.seed >> job.threads >> job.budgetSeconds >> job.l2Bytes >>
      job.wanted >> job.refined >> job.isForAssembly;
  if (auto helpers = fields->find(std::string(kBeginningEnd)); helpers != fields->end())
    std::istringstream(helpers->second) >> job.assemblers;
  if (!numbers)
    return malformed("numbers are missing");
  for (auto [at, end] = fields->equal_range("argument"); at != end; ++at)
    if (Status status = readArgument(at->second, job); !status)
      return status;
  for (auto [at, end] = fields->equal_range("contents"); at != end; ++at)
    job.contents.push_back(std::move(at->second));
  for (auto [at, end] = fields->equal_range("candidate"); at != end; ++at) {
    Result<KernelConfig> config = KernelConfig::parse(at->second);
    if (!config)
      return config.status();
    job.candidates.push_back(std::move(*config));
  }
  if (job.candidates.empty())
    return malformed("there is no candidate");
  return job;
}

Result<KernelArtifact> compileCandidate(const TuneJob &job, const KernelConfig &config, TargetKind target, bool plain) {
  CompileInput input;
  input.text = job.text;
  input.name = job.name;
  input.arguments = job.facts;
  input.config = config;
  input.target = target;
  input.gpu = job.gpu;
  if (plain) {
    input.config.consumerGroups = 0;
    input.config.ringDepth = input.config.mmaDepth = 1;
  }
  auto compile = [&]() -> Result<KernelArtifact> {
    Result<CompileOutput> output = compileKernel(input);
    return output ? Result<KernelArtifact>(std::move(output->artifact)) : output.status();
  };
  return onLargeStack(compile);
}

TrialInput TuneJob::trial(Device &on) const {
  TrialInput input(on);
  input.compile = [this](const KernelConfig &config, TargetKind target, bool plain) {
    return compileCandidate(*this, config, target, plain);
  };
  input.arguments = values;
  input.uses = uses;
  input.contents = contents;
  input.grid = grid;
  input.candidates = candidates;
  input.wanted = wanted;
  input.refined = refined;
  input.seed = seed;
  input.threads = threads;
  input.budgetSeconds = budgetSeconds;
  input.l2Bytes = l2Bytes;
  if (!turnFile.empty())
    input.tryTurn = [this]() -> std::shared_ptr<void> {
      auto lock = std::make_shared<store::BuildLock>(turnFile, "0");
      return lock->tryToBuild() == store::BuildLock::Answer::Held ? nullptr : lock;
    };
  return input;
}

} // namespace tawa::capi
