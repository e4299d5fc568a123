// `tawa info` reads a kernel's text and lists its requirements; `tawa explain` compiles it and lists the decisions.
#include "bindings/cli/ChoiceReport.h"
#include "bindings/cli/Commands.h"
#include "bindings/cli/KernelReport.h"

#include <cstdio>

namespace tawa::cli {
namespace {

std::vector<tawa_parameter_info_t> parametersOf(const KernelSource &source) {
  std::vector<tawa_parameter_info_t> parameters(tawa_signature_parameter_count(source.signature.get()),
                                                tawa_parameter_info_t TAWA_PARAMETER_INFO_INIT);
  for (uint32_t i = 0; i < parameters.size(); ++i)
    tawa_signature_parameter(source.signature.get(), i, &parameters[i]);
  return parameters;
}

std::string describeKind(const tawa_arg_info_t &info) {
  std::string type(elementName(info.dtype));
  if (info.kind != TAWA_ARG_TENSOR)
    return type;
  if (info.rank == 0)
    return type + " pointer";
  for (uint32_t i = 0; i < info.rank; ++i)
    type += i ? ",?" : "[?";
  return type + "]";
}

std::string describeSignature(const KernelSource &source) {
  std::string arguments, parameters;
  for (size_t i = 0; i < source.arguments.size(); ++i) {
    const tawa_arg_info_t &info = source.arguments[i];
    arguments += format("%s%zu: %s %s", i ? "\n" : "", i, info.name, describeKind(info).c_str());
    if (info.alignment)
      arguments += format(", %s %u", info.kind == TAWA_ARG_TENSOR ? "aligned to" : "divisible by", info.alignment);
  }
  for (const tawa_parameter_info_t &parameter : parametersOf(source)) {
    parameters += std::string(parameters.empty() ? "" : "\n") + parameter.name + " =";
    for (uint32_t i = 0; i < parameter.num_values; ++i)
      parameters += format("%s %lld", i ? " |" : "", static_cast<long long>(parameter.values[i]));
    parameters += parameter.is_setting ? ", never searched" : "";
  }
  const char *grid = tawa_signature_grid(source.signature.get());
  std::string text = reportLine("entry", tawa_signature_entry(source.signature.get()));
  text += reportLine("arguments", arguments.empty() ? "none" : arguments);
  text += reportLine("parameters", parameters.empty() ? "none" : parameters);
  return text + reportLine("grid", *grid ? grid : "given by the caller");
}

void writeSignature(JsonWriter &writer, const KernelSource &source) {
  writer.text("file", source.path).text("entry", tawa_signature_entry(source.signature.get()));
  writer.text("grid", tawa_signature_grid(source.signature.get())).beginArray("arguments");
  for (const tawa_arg_info_t &info : source.arguments) {
    constexpr const char *kinds[] = {"tensor", "scalar", "constant"};
    writer.beginObject().text("name", info.name).text("kind", kinds[info.kind]).text("dtype", elementName(info.dtype));
    writer.integer("rank", info.rank).integer("alignment", info.alignment).endObject();
  }
  writer.endArray().beginArray("parameters");
  for (const tawa_parameter_info_t &parameter : parametersOf(source)) {
    writer.beginObject().text("name", parameter.name).boolean("setting", parameter.is_setting != 0);
    writer.beginArray("values");
    for (uint32_t i = 0; i < parameter.num_values; ++i)
      writer.integer({}, parameter.values[i]);
    writer.endArray().endObject();
  }
  writer.endArray();
}

/// Why the cache has no answer, field by field; "" where it has one.
std::string explainMiss(tawa_runtime_t runtime, const tawa_compile_request_t &request) {
  char *text = nullptr;
  if (tawa_cache_explain(runtime, &request, &text, nullptr))
    return {};
  std::string reasons = text;
  tawa_free(text);
  return reasons;
}

/// One request's state: before it was compiled, and after.
struct Explanation {
  const Workload &workload;
  const std::string &miss;
  const ChoiceReport &choice;

  std::string json() const {
    JsonWriter writer;
    writer.beginObject();
    writeSignature(writer, workload.source());
    writeDevice(writer, workload.runtime());
    writeKernel(writer, workload.kernel());
    if (!miss.empty())
      writer.text("not_cached", miss);
    choice.write(writer);
    return writer.endObject().take();
  }
  std::string text() const {
    return describeSignature(workload.source()) + reportLine("device", describeDevice(workload.runtime())) +
           describePhases(workload.kernel(), workload.compileMilliseconds()) +
           (miss.empty() ? miss : reportLine("not cached", miss)) + describeKernel(workload.kernel()) +
           choice.describe() + describeDiagnostics(workload.kernel());
  }
};

struct ExplainOptions {
  std::vector<std::string> args;
  std::string config, device, target;
  bool json = false;

  void declare(Options &options) {
    options.list("--arg", "NAME=VALUE", args, "facts about an argument; sizes left out stay unknown");
    options.value("--config", "TEXT", config, "e.g. \"D=4 P=1 consumers=2\"");
    options.value("--device", "NAME", device, "auto, emulator or cuda:N (default: $TAWA_DEVICE, else auto)");
    options.value("--target", "NAME", target, kTargetHelp);
    options.flag("--json", json, "print one JSON object");
  }
};

} // namespace

ExitCode runInfo(const Command &command, int count, char **arguments) {
  bool json = false;
  Options options;
  options.flag("--json", json, "print one JSON object");
  std::vector<std::string> files;
  if (std::optional<ExitCode> code = readCommandLine(command, options, count, arguments, files, kOneFile))
    return *code;
  Console console(json);
  KernelSource source;
  if (ExitCode code = readKernel(console, files[0], source); code != ExitCode::Ok)
    return code;
  std::string text;
  if (json) {
    JsonWriter writer;
    writer.beginObject();
    writeSignature(writer, source);
    text = writer.endObject().take();
  } else {
    text = describeSignature(source);
  }
  std::fputs(text.c_str(), stdout);
  return ExitCode::Ok;
}

ExitCode runExplain(const Command &command, int count, char **arguments) {
  ExplainOptions given;
  KernelSource source;
  if (std::optional<ExitCode> code = readKernelCommand(command, given, count, arguments, source))
    return *code;
  Console console(given.json);
  std::vector<tawa_arg_t> facts;
  if (std::optional<std::string> problem = matchArguments(source, given.args, true, facts))
    return console.failed(ExitCode::InvalidInput, *problem);
  RuntimeHandle runtime;
  if (ExitCode code = openRuntime(console, given.device, runtime); code != ExitCode::Ok)
    return code;
  Workload workload(console, source, runtime.get(), std::move(facts));
  tawa_compile_request_t request = requestFor(source, workload.arguments(), given.config, given.target);
  std::string miss = explainMiss(runtime.get(), request); // before the compile fills the gap
  if (ExitCode code = workload.compile(given.config, given.target); code != ExitCode::Ok)
    return code;
  tawa_kernel_info_t info = TAWA_KERNEL_INFO_INIT;
  tawa_kernel_info(workload.kernel(), &info);
  ChoiceReport choice(runtime.get(), request, info.config ? info.config : "");
  Explanation explanation{workload, miss, choice};
  std::fputs((given.json ? explanation.json() : explanation.text()).c_str(), stdout);
  return ExitCode::Ok;
}

} // namespace tawa::cli
