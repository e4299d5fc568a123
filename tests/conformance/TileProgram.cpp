// Parses the line of a tile program, and fills its arguments with data.
#include "tests/conformance/TileProgram.h"

#include "compiler/reference/Elements.h"

#include <cctype>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <sstream>

namespace tawa::conformance {

using reference::isFloat;
using reference::writeNumber;

namespace {

Status malformed(const std::string &what) { return Status(StatusCode::InvalidArgument, "run line: " + what); }

std::optional<ElementType> typeNamed(const std::string &name) {
  for (unsigned i = 0; i <= static_cast<unsigned>(ElementType::F64); ++i)
    if (name == elementName(static_cast<ElementType>(i)))
      return static_cast<ElementType>(i);
  return std::nullopt;
}

std::vector<std::string> splitAt(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

/// How a tensor is filled.
struct Filling {
  bool isNormal = true;
  bool hasSpecial = false;
  double low = -8, high = 8;
  std::vector<double> given; ///< Numbers to take in turn, if there are any.
};

Filling readFilling(const std::string &text) {
  if (text.empty())
    return {};
  if (text == "special")
    return {.isNormal = true, .hasSpecial = true, .given = {}};
  if (size_t dots = text.find(".."); dots != std::string::npos)
    return {.isNormal = false,
            .low = std::stod(text.substr(0, dots)),
            .high = std::stod(text.substr(dots + 2)),
            .given = {}};
  Filling filling;
  for (const std::string &number : splitAt(text, ','))
    filling.given.push_back(std::stod(number));
  return filling;
}

/// Element `index` of a tensor.
double drawNumber(const Filling &filling, size_t index, bool isInteger, std::mt19937 &random) {
  if (!filling.given.empty())
    return filling.given[index % filling.given.size()];
  constexpr double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1};
  if (filling.hasSpecial && !isInteger && random() % 16 == 0)
    return special[random() % std::size(special)];
  if (filling.isNormal && !isInteger)
    return std::normal_distribution<double>()(random);
  double number = filling.low + (filling.high - filling.low) * (random() * 0x1p-32);
  return isInteger ? std::floor(number) : number;
}

void fill(ProgramArgument &arg, const Filling &filling, uint32_t seed) {
  std::mt19937 random(seed);
  size_t size = elementBytes(arg.type), count = arg.byteCount() / size;
  arg.bytes.resize(count * size);
  for (size_t i = 0; i < count; ++i)
    writeNumber(arg.type, drawNumber(filling, i, !isFloat(arg.type), random), arg.bytes.data() + i * size);
}

std::vector<int64_t> readShape(const std::string &text) {
  std::vector<int64_t> shape;
  for (const std::string &size : splitAt(text, ','))
    shape.push_back(std::stoll(size));
  return shape;
}

Status readTensor(const std::string &text, size_t bracket, uint32_t seed, ProgramArgument &arg) {
  size_t end = text.find(']');
  if (end == std::string::npos)
    return malformed("'" + text + "' lacks a ]");
  std::string name = text.substr(0, bracket), rest = text.substr(end + 1);
  if (!rest.empty() && rest[0] != '=')
    return malformed("'" + text + "' goes on after the ]");
  rest = rest.empty() ? rest : rest.substr(1);
  arg.shape = readShape(text.substr(bracket + 1, end - bracket - 1));
  if (name == "ptr") {
    arg.kind = ProgramArgument::Kind::Addresses;
    arg.type = ElementType::I64;
    for (int64_t target : readShape(rest))
      arg.targets.push_back(static_cast<size_t>(target));
    return Status::ok();
  }
  std::optional<ElementType> type = typeNamed(name);
  if (!type)
    return malformed("'" + name + "' is no element type");
  arg.type = *type;
  fill(arg, readFilling(rest), seed);
  return Status::ok();
}

Status readScalar(const std::string &text, ProgramArgument &arg) {
  size_t colon = text.find(':');
  std::optional<ElementType> type = typeNamed(text.substr(0, colon));
  if (colon == std::string::npos || !type)
    return malformed("'" + text + "' is neither TYPE[SIZES] nor TYPE:NUMBER");
  std::string number = text.substr(colon + 1);
  constexpr std::string_view constant = "const:";
  arg.kind = number.starts_with(constant) ? ProgramArgument::Kind::Constant : ProgramArgument::Kind::Scalar;
  if (arg.kind == ProgramArgument::Kind::Constant)
    number = number.substr(constant.size());
  arg.type = *type;
  arg.number = std::stod(number);
  arg.integer = isFloat(*type) ? static_cast<int64_t>(arg.number) : std::stoll(number);
  return Status::ok();
}

Status readArgument(const std::string &text, uint32_t seed, TileProgram &program) {
  ProgramArgument arg;
  size_t bracket = text.find('[');
  Status status = bracket == std::string::npos ? readScalar(text, arg) : readTensor(text, bracket, seed, arg);
  program.args.push_back(std::move(arg));
  return status;
}

/// Words apart by spaces; quotes keep a word together.
std::vector<std::string> wordsOf(const std::string &line) {
  std::vector<std::string> words(1);
  bool isQuoted = false;
  for (char c : line) {
    if (c == '"')
      isQuoted = !isQuoted;
    else if (std::isspace(static_cast<unsigned char>(c)) && !isQuoted)
      words.emplace_back();
    else
      words.back() += c;
  }
  std::erase(words, "");
  return words;
}

void readGrid(const std::string &text, TileProgram &program) {
  size_t dim = 0;
  for (int64_t size : readShape(text))
    if (dim < 3)
      program.grid[dim++] = static_cast<uint32_t>(size);
}

} // namespace

Status readLaunch(const std::string &line, uint32_t seed, TileProgram &program) {
  bool inArguments = false;
  for (std::string word : wordsOf(line)) {
    if (word.starts_with("grid=")) {
      readGrid(word.substr(5), program);
      continue;
    }
    if (word.starts_with("config=")) {
      program.config = word.substr(7);
      continue;
    }
    if (word.starts_with("args=")) {
      inArguments = true;
      word = word.substr(5);
      if (word.empty())
        continue;
    }
    if (!inArguments)
      return malformed("'" + word + "' stands before args=");
    if (Status status = readArgument(word, seed + static_cast<uint32_t>(program.args.size()), program); !status)
      return status;
  }
  return Status::ok();
}

std::vector<std::string> launchesOf(const std::string &text) {
  constexpr std::string_view marker = "// run:";
  std::vector<std::string> launches;
  for (size_t at = text.find(marker); at != std::string::npos; at = text.find(marker, at)) {
    at += marker.size();
    launches.push_back(text.substr(at, text.find('\n', at) - at));
  }
  return launches;
}

Status readLaunchOf(const std::string &text, uint32_t seed, TileProgram &program) {
  std::vector<std::string> launches = launchesOf(text);
  return launches.empty() ? malformed("the text has none") : readLaunch(launches.front(), seed, program);
}

//===--- Running --------------------------------------------------------------------------------------------------===//

namespace {

tawa_arg_t describe(const ProgramArgument &arg) {
  tawa_arg_t described = TAWA_ARG_INIT;
  constexpr tawa_arg_kind_t kinds[] = {TAWA_ARG_TENSOR, TAWA_ARG_SCALAR, TAWA_ARG_CONSTANT, TAWA_ARG_TENSOR};
  described.kind = kinds[static_cast<size_t>(arg.kind)];
  described.dtype = static_cast<tawa_dtype_t>(arg.type);
  described.rank = static_cast<uint32_t>(arg.shape.size());
  std::copy(arg.shape.begin(), arg.shape.end(), described.shape);
  described.integer = arg.integer;
  described.number = arg.number;
  return described;
}

std::vector<tawa_arg_t> describe(const std::vector<ProgramArgument> &args) {
  std::vector<tawa_arg_t> described;
  described.reserve(args.size());
  for (const ProgramArgument &arg : args)
    described.push_back(describe(arg));
  return described;
}

/// A kernel that is launched although its code is not proved says so in a remark; none should.
void requireProof(const Kernel &kernel) {
  constexpr std::string_view kRemark = "not proved: ";
  for (uint32_t index = 0; index < kernel.info().num_diagnostics; ++index)
    if (std::string_view message = kernel.diagnostic(index).message; message.starts_with(kRemark))
      throw NotProved(std::string(message));
}

/// The bytes of a tensor of addresses.
std::vector<char> addressesOf(const ProgramArgument &arg, const std::vector<std::optional<Memory>> &memory) {
  std::vector<char> bytes(arg.byteCount());
  for (size_t i = 0; i < bytes.size() / 8; ++i) {
    auto address = reinterpret_cast<uint64_t>(memory[arg.targets[i % arg.targets.size()]]->data());
    std::memcpy(bytes.data() + 8 * i, &address, 8);
  }
  return bytes;
}

} // namespace

std::string assemble(const Runtime &runtime, const TileProgram &program) {
  const std::vector<tawa_arg_t> args = describe(program.args);
  try {
    return runtime.emit(TAWA_STAGE_CUBIN, program.text, args, program.config, program.name);
  } catch (const Error &error) {
    if (error.status() != TAWA_E_NO_DEVICE)
      throw;
    return emitPtx(runtime, program);
  }
}

std::string emitPtx(const Runtime &runtime, const TileProgram &program) {
  return runtime.emit(TAWA_STAGE_PTX, program.text, describe(program.args), program.config, program.name);
}

std::string whyOneRole(const Runtime &runtime, const TileProgram &program) {
  return runtime.compile(program.text, describe(program.args), program.config, program.name).info().declined;
}

Outputs runOn(const Runtime &runtime, const TileProgram &program, const std::string &schedule, unsigned launches) {
  std::vector<tawa_arg_t> args = describe(program.args);
  Kernel kernel = runtime.compile(program.text, args, program.config, program.name);
  requireProof(kernel);
  std::vector<std::optional<Memory>> memory(program.args.size());
  for (size_t i = 0; i < args.size(); ++i)
    if (program.args[i].isTensor()) {
      memory[i].emplace(runtime, program.args[i].byteCount());
      args[i].data = memory[i]->data();
    }
  tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
  std::copy(program.grid.begin(), program.grid.end(), options.grid);
  options.emulator_schedule = schedule.empty() ? nullptr : schedule.c_str();
  for (unsigned launch = 0; launch < launches; ++launch) {
    for (size_t i = 0; i < args.size(); ++i)
      if (memory[i]) {
        const ProgramArgument &arg = program.args[i];
        memory[i]->copyIn(arg.targets.empty() ? arg.bytes.data() : addressesOf(arg, memory).data());
      }
    kernel.launch(args, nullptr, options);
    runtime.synchronize();
  }
  Outputs outputs(program.args.size());
  for (size_t i = 0; i < args.size(); ++i)
    if (memory[i]) {
      outputs[i].resize(program.args[i].byteCount());
      memory[i]->copyOut(outputs[i].data());
    }
  return outputs;
}

} // namespace tawa::conformance
