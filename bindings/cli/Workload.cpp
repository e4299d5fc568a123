// The steps of Workload.h.
#include "bindings/cli/Workload.h"

#include <chrono>

namespace tawa::cli {

ExitCode openRuntime(const Console &console, const std::string &device, RuntimeHandle &runtime) {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = device.empty() ? nullptr : device.c_str();
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

ExitCode Workload::upload(uint64_t seed, size_t output) {
  for (size_t index : tensors()) {
    tawa_arg_t &arg = args[index];
    HostTensor tensor(arg.dtype, std::vector<int64_t>(arg.shape, arg.shape + arg.rank));
    if (index == output)
      tensor.poison();
    else
      tensor.fillNormal(seed * 1000 + index);
    ErrorSink error;
    const std::vector<unsigned char> &bytes = hosts.emplace(index, std::move(tensor)).first->second.bytes;
    if (tawa_memory_allocate(deviceRuntime, bytes.size(), &arg.data, error) ||
        tawa_memory_copy_in(deviceRuntime, arg.data, bytes.data(), bytes.size(), error))
      return console.failed(error);
  }
  return ExitCode::Ok;
}

ExitCode Workload::compile(const std::string &config) {
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
  request.text = kernelSource.text.data();
  request.text_len = kernelSource.text.size();
  request.name = kernelSource.path.c_str();
  request.args = args.data();
  request.num_args = static_cast<uint32_t>(args.size());
  request.config = config.empty() ? nullptr : config.c_str();
  ErrorSink error;
  tawa_kernel_t kernel = nullptr;
  auto begin = std::chrono::steady_clock::now();
  if (tawa_compile(deviceRuntime, &request, &kernel, error))
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

ExitCode Workload::poison(size_t index) {
  ErrorSink error;
  size_t size = hosts.at(index).bytes.size();
  return tawa_memory_fill(deviceRuntime, args[index].data, 0xff, size, error) ? console.failed(error) : ExitCode::Ok;
}

ExitCode Workload::download(size_t index) {
  std::vector<unsigned char> &bytes = hosts.at(index).bytes;
  ErrorSink error;
  if (tawa_memory_copy_out(deviceRuntime, bytes.data(), args[index].data, bytes.size(), error))
    return console.failed(error);
  return ExitCode::Ok;
}

} // namespace tawa::cli
