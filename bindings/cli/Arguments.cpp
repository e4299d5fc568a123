// Reading and matching of Arguments.h.
#include "bindings/cli/Arguments.h"

#include "bindings/cli/Element.h"
#include "bindings/cli/Files.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tawa::cli {
namespace {

/// "0..8" or "0".
std::optional<TensorFilling> parseFilling(const std::string &text) {
  size_t dots = text.find("..");
  std::string low = text.substr(0, dots), high = dots == std::string::npos ? low : text.substr(dots + 2);
  char *lowEnd = nullptr, *highEnd = nullptr;
  TensorFilling filling{false, std::strtod(low.c_str(), &lowEnd), std::strtod(high.c_str(), &highEnd)};
  bool isRead = !low.empty() && !high.empty() && !*lowEnd && !*highEnd && filling.low <= filling.high;
  return isRead ? std::optional(filling) : std::nullopt;
}

bool isOpen(const tawa_arg_t &argument) {
  const int64_t *end = argument.shape + argument.rank;
  return argument.kind == TAWA_ARG_TENSOR && std::find(argument.shape, end, TAWA_UNKNOWN) != end;
}

/// Strides of a dense tensor with some open sizes. If none is open the library computes them.
void setStrides(tawa_arg_t &value) {
  int64_t stride = 1;
  for (uint32_t i = value.rank; isOpen(value) && i-- > 0;) {
    value.strides[i] = stride;
    bool isKnown = stride != TAWA_UNKNOWN && value.shape[i] != TAWA_UNKNOWN;
    stride = isKnown ? stride * value.shape[i] : TAWA_UNKNOWN;
  }
}

/// "f16[512,256]" into dtype, rank and shape, what follows into the filling.
std::string parseTensor(std::string_view text, size_t bracket, tawa_arg_t &value,
                        std::optional<TensorFilling> &contents) {
  if (size_t end = text.find("]="); end != std::string_view::npos) {
    contents = parseFilling(std::string(text.substr(end + 2)));
    if (!contents)
      return "'" + std::string(text.substr(end + 2)) + "' is neither a number nor a range like 0..8";
    text = text.substr(0, end + 1);
  }
  std::optional<tawa_dtype_t> dtype = elementFromName(text.substr(0, bracket));
  if (!dtype)
    return "unknown element type '" + std::string(text.substr(0, bracket)) + "'";
  if (text.back() != ']')
    return "a tensor is written f16[512,256]";
  std::vector<std::string> extents = split(text.substr(bracket + 1, text.size() - bracket - 2), ',');
  if (extents.size() > TAWA_MAX_RANK)
    return "a tensor has at most " + std::to_string(TAWA_MAX_RANK) + " dimensions";
  value.kind = TAWA_ARG_TENSOR;
  value.dtype = *dtype;
  value.rank = static_cast<uint32_t>(extents.size());
  for (size_t i = 0; i < extents.size(); ++i) {
    std::optional<long long> extent = extents[i] == "?" ? TAWA_UNKNOWN : parseInteger(extents[i]);
    if (!extent || (*extent < 0 && *extent != TAWA_UNKNOWN))
      return "'" + extents[i] + "' is no dimension: a number, or ? for one that only a launch tells";
    value.shape[i] = *extent;
  }
  setStrides(value);
  return "";
}

std::string parseNumber(const std::string &text, ArgSpec &spec) {
  if (std::optional<long long> integer = parseInteger(text)) {
    spec.value.integer = *integer;
    spec.value.number = static_cast<double>(*integer);
    return "";
  }
  char *end = nullptr;
  spec.value.number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end)
    return "'" + text + "' is neither a tensor like f16[512,256] nor a number";
  spec.value.integer = static_cast<int64_t>(spec.value.number);
  spec.hasFraction = spec.value.number != std::trunc(spec.value.number);
  return "";
}

/// Index of the argument that the spec names, or the number of arguments when there is none.
size_t findArgument(const KernelSource &source, const std::string &name) {
  for (size_t i = 0; i < source.arguments.size(); ++i)
    if (name == source.arguments[i].name)
      return i;
  std::optional<long long> index = parseInteger(name);
  bool inRange = index && *index >= 0 && static_cast<size_t>(*index) < source.arguments.size();
  return inRange ? static_cast<size_t>(*index) : source.arguments.size();
}

/// An example of an omitted argument, for the error message.
std::string exampleFor(const tawa_arg_info_t &info) {
  std::string example = std::string("--arg ") + info.name + "=";
  if (info.kind != TAWA_ARG_TENSOR)
    return example + "NUMBER (" + std::string(elementName(info.dtype)) + ")";
  example += std::string(elementName(info.dtype)) + "[";
  for (uint32_t i = 0; i < std::max(info.rank, 1u); ++i)
    example += i ? ",SIZE" : "SIZE";
  return example + "]";
}

tawa_arg_t unknownArgument(const tawa_arg_info_t &info) {
  tawa_arg_t argument = TAWA_ARG_INIT;
  argument.kind = info.kind;
  argument.dtype = info.dtype;
  argument.rank = info.rank;
  std::fill_n(argument.shape, info.rank, TAWA_UNKNOWN);
  setStrides(argument);
  return argument;
}

/// What a launch lacks: omitted arguments and open sizes; none where it is complete.
std::optional<std::string> missing(const KernelSource &source, const std::vector<bool> &given,
                                   const std::vector<tawa_arg_t> &arguments) {
  std::string wanted;
  for (size_t i = 0; i < given.size(); ++i)
    if (!given[i] || isOpen(arguments[i]))
      wanted += "\n  " + exampleFor(source.arguments[i]);
  return wanted.empty() ? std::nullopt : std::optional("still wanted, with numbers for what is in capitals:" + wanted);
}

/// The spec as an argument of the kind the text prints; a problem when it is of another kind.
std::string adopt(const tawa_arg_info_t &info, const ArgSpec &spec, tawa_arg_t &argument) {
  bool wantsTensor = info.kind == TAWA_ARG_TENSOR, isTensor = spec.value.kind == TAWA_ARG_TENSOR;
  if (wantsTensor != isTensor)
    return std::string(info.name) + (wantsTensor ? " is a tensor" : " is a number") + ": " + exampleFor(info);
  argument = spec.value;
  if (isTensor)
    return "";
  argument.dtype = info.dtype;
  if (!isFloat(info.dtype) && spec.hasFraction)
    return std::string(info.name) + " is of type " + std::string(elementName(info.dtype)) + " and takes whole numbers";
  return "";
}

} // namespace

ExitCode readKernel(const Console &console, const std::string &path, KernelSource &source) {
  source.path = path == "-" ? "<stdin>" : path;
  if (std::optional<std::string> problem = readFile(path, source.text))
    return console.failed(ExitCode::InvalidInput, *problem);
  ErrorSink error;
  tawa_signature_t signature = nullptr;
  if (tawa_signature_read(source.text.data(), source.text.size(), source.path.c_str(), &signature, error))
    return console.failed(error);
  source.signature.reset(signature);
  for (uint32_t i = 0; i < tawa_signature_argument_count(signature); ++i) {
    tawa_arg_info_t info = TAWA_ARG_INFO_INIT;
    tawa_signature_argument(signature, i, &info);
    source.arguments.push_back(info);
  }
  return ExitCode::Ok;
}

/// f32[1024], i32:1000: a value without a name. Its type is taken off a number.
static bool takeUnnamed(const std::string &text, std::string &value) {
  size_t end = text.find_first_of("[:=");
  if (end == std::string::npos || text[end] == '=' || !elementFromName(text.substr(0, end)))
    return false;
  value = text[end] == ':' ? text.substr(end + 1) : text;
  return true;
}

ArgSpec parseArgSpec(const std::string &text) {
  ArgSpec spec;
  std::string value;
  size_t equals = text.find('=');
  if (!takeUnnamed(text, value)) {
    if (equals == std::string::npos || equals == 0) {
      spec.problem = "--arg wants NAME=VALUE or TYPE[SIZES] or TYPE:NUMBER, got '" + text + "'";
      return spec;
    }
    spec.name = text.substr(0, equals);
    value = text.substr(equals + 1);
  }
  constexpr std::string_view constant = "const:";
  bool isConstant = value.starts_with(constant);
  size_t bracket = value.find('[');
  std::string problem;
  if (!isConstant && bracket != std::string::npos) {
    problem = parseTensor(value, bracket, spec.value, spec.filling);
  } else {
    spec.value.kind = isConstant ? TAWA_ARG_CONSTANT : TAWA_ARG_SCALAR;
    problem = parseNumber(isConstant ? value.substr(constant.size()) : value, spec);
  }
  if (!problem.empty())
    spec.problem = "--arg " + (spec.name.empty() ? text : spec.name) + ": " + problem;
  return spec;
}

std::optional<std::string> matchArguments(const KernelSource &source, const std::vector<std::string> &texts,
                                          bool allowUnknown, std::vector<tawa_arg_t> &arguments,
                                          TensorFillings *fillings) {
  std::vector<bool> given(source.arguments.size(), false);
  arguments.clear();
  for (const tawa_arg_info_t &info : source.arguments)
    arguments.push_back(unknownArgument(info));
  if (fillings)
    fillings->assign(source.arguments.size(), std::nullopt);
  for (const std::string &text : texts) {
    ArgSpec spec = parseArgSpec(text);
    if (!spec.problem.empty())
      return spec.problem;
    size_t index = spec.name.empty() ? static_cast<size_t>(std::find(given.begin(), given.end(), false) - given.begin())
                                     : findArgument(source, spec.name);
    if (index == source.arguments.size() && spec.name.empty())
      return "the kernel takes " + std::to_string(index) + " arguments, so there is none for '" + text + "'";
    if (index == source.arguments.size())
      return "the kernel has no argument '" + spec.name + "' (tawa info " + source.path + " lists them)";
    if (std::string problem = adopt(source.arguments[index], spec, arguments[index]); !problem.empty())
      return problem;
    given[index] = true;
    if (fillings)
      (*fillings)[index] = spec.filling;
  }
  return allowUnknown ? std::nullopt : missing(source, given, arguments);
}

tawa_compile_request_t requestFor(const KernelSource &source, const std::vector<tawa_arg_t> &arguments,
                                  const std::string &config, const std::string &target) {
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  request.text = source.text.data();
  request.text_len = source.text.size();
  request.name = source.path.c_str();
  request.args = arguments.data();
  request.num_args = static_cast<uint32_t>(arguments.size());
  request.config = config.empty() ? nullptr : config.c_str();
  request.target = target.empty() ? nullptr : target.c_str();
  return request;
}

std::string describeArgument(const tawa_arg_t &argument) {
  std::string type(elementName(argument.dtype));
  if (argument.kind == TAWA_ARG_TENSOR) {
    for (uint32_t i = 0; i < argument.rank; ++i)
      type += (i ? "," : "[") + (argument.shape[i] == TAWA_UNKNOWN ? "?" : std::to_string(argument.shape[i]));
    return argument.rank ? type + "]" : type + " pointer";
  }
  std::string value = isFloat(argument.dtype) ? format("%g", argument.number) : std::to_string(argument.integer);
  return (argument.kind == TAWA_ARG_CONSTANT ? "const " : "") + type + " = " + value;
}

} // namespace tawa::cli
