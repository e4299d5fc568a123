// The steps of Workload.h.
#include "bindings/cli/Workload.h"

#include <chrono>

namespace tawa::cli {

ExitCode openRuntime(const Console &console, const std::string &device, RuntimeHandle &runtime) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = device.empty() ? nullptr : device.c_str();
  options.log_level = console.isQuiet() ? TAWA_LOG_ERROR : TAWA_LOG_DEFAULT;
  ErrorSink error;
  tawa_runtime_t opened = nullptr;
  if (tawa_runtime_create(&options, &opened, error))
    return console.failed(error);
  runtime.reset(opened);
  return ExitCode::Ok;
}

Workload::Workload(const Console &console, const KernelSource &source, tawa_runtime_t runtime,
                   std::vector<tawa_arg_t> arguments)
    : console(console), kernelSource(source), deviceRuntime(runtime), args(std::move(arguments)) {}

Workload::~Workload() {
  compiled.reset();
  for (auto &[index, tensor] : hosts)
    if (args[index].data)
      tawa_memory_free(deviceRuntime, args[index].data, nullptr);
}

std::vector<size_t> Workload::tensors() const {
  std::vector<size_t> positions;
  for (size_t i = 0; i < args.size(); ++i)
    if (args[i].kind == TAWA_ARG_TENSOR)
      positions.push_back(i);
  return positions;
}

void Workload::fill(uint64_t seed, size_t output, const TensorFillings &fillings) {
  for (size_t index : tensors()) {
    const tawa_arg_t &arg = args[index];
    HostTensor tensor(arg.dtype, std::vector<int64_t>(arg.shape, arg.shape + arg.rank));
    std::optional<TensorFilling> filling = index < fillings.size() ? fillings[index] : std::nullopt;
    if (index == output && !filling)
      tensor.poison();
    else
      tensor.fill(filling.value_or(TensorFilling()), seed * 1000 + index);
    hosts.insert_or_assign(index, std::move(tensor));
  }
}

ExitCode Workload::upload() {
  for (auto &[index, tensor] : hosts) {
    tawa_arg_t &arg = args[index];
    ErrorSink error;
    if ((!arg.data && tawa_memory_allocate(deviceRuntime, tensor.bytes.size(), &arg.data, error)) ||
        tawa_memory_copy_in(deviceRuntime, arg.data, tensor.bytes.data(), tensor.bytes.size(), error))
      return console.failed(error);
  }
  return ExitCode::Ok;
}

ExitCode Workload::compile(const std::string &config, const std::string &target) {
  tawa_compile_request_t asked = requestFor(kernelSource, args, config, target);
  ErrorSink error;
  tawa_kernel_t kernel = nullptr;
  auto begin = std::chrono::steady_clock::now();
  if (tawa_compile(deviceRuntime, &asked, &kernel, error))
    return console.failed(error);
  compileTime = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  compiled.reset(kernel);
  return ExitCode::Ok;
}

ExitCode Workload::launch(const tawa_launch_options_t &options) {
  auto count = static_cast<uint32_t>(args.size());
  if (tawa_status_t status = tawa_launch(kernel(), args.data(), count, nullptr, &options))
    return console.failed(status, tawa_last_launch_error());
  ErrorSink error;
  if (tawa_synchronize(deviceRuntime, nullptr, error))
    return console.failed(error);
  return ExitCode::Ok;
}

ExitCode Workload::download(size_t index) {
  HostTensor tensor = hosts.at(index);
  ErrorSink error;
  if (tawa_memory_copy_out(deviceRuntime, tensor.bytes.data(), args[index].data, tensor.bytes.size(), error))
    return console.failed(error);
  setResult(index, std::move(tensor));
  return ExitCode::Ok;
}

} // namespace tawa::cli
