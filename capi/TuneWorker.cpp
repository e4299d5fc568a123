// The other side of a search: a job read, run on a device of its own, and told line by line.
#include "capi/boundary/Guard.h"
#include "capi/service/HostLoader.h"
#include "capi/service/TuneCall.h"
#include "runtime/device/Registry.h"
#include "runtime/tuner/trial/Assemblers.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <unistd.h>
#include <utility>

using namespace tawa;
using namespace tawa::capi;

namespace {

Status failed(const char *call, int descriptor) {
  return {StatusCode::InvalidArgument, "tune worker: " + std::string(call) + " descriptor " +
                                           std::to_string(descriptor) + ": " + std::strerror(errno)};
}

Status checkOpen(const char *purpose, int descriptor) {
  return fcntl(descriptor, F_GETFD) < 0 ? failed(purpose, descriptor) : Status::ok();
}

/// A line at a time, whole, so that whoever listens never sees half of one; from several threads.
class Output {
public:
  explicit Output(int to) : to(to) {}

  void writeLine(std::string line) {
    std::lock_guard lock(mutex);
    line += '\n';
    for (size_t at = 0; at < line.size() && failure;) {
      ssize_t count = ::write(to, line.data() + at, line.size() - at);
      if (count < 0 && errno != EINTR)
        failure = failed("write to", to); // the reader has closed the pipe
      at += count > 0 ? static_cast<size_t>(count) : 0;
    }
  }

  Status status() const { return failure; }

private:
  int to;
  std::mutex mutex;
  Status failure;
};

struct Field {
  std::string name, bytes;
  std::string written; ///< Both, as they were read.
};

/// The fields of a job (TuneCall.h), as they come.
class Input {
public:
  explicit Input(int from) : from(from) {}

  /// Nothing at the end. What is no field is handed on as it is: TuneJob::parse() says what is wrong with it.
  Result<std::optional<Field>> next() {
    size_t line = 0;
    while ((line = buffer.find('\n')) == buffer.npos)
      if (Result<bool> more = readMore(); !more || !*more)
        return more ? rest() : Result<std::optional<Field>>(more.status());
    size_t space = buffer.find(' '), length = 0;
    auto [end, error] = std::from_chars(buffer.data() + std::min(space + 1, line), buffer.data() + line, length);
    if (space > line || error != std::errc() || end != buffer.data() + line)
      return rest();
    size_t size = line + 1 + length + 1;
    while (size > length && buffer.size() < size)
      if (Result<bool> more = readMore(); !more || !*more)
        return more ? rest() : Result<std::optional<Field>>(more.status());
    Field field{buffer.substr(0, space), buffer.substr(line + 1, length), buffer.substr(0, size)};
    buffer.erase(0, size);
    return std::optional<Field>(std::move(field));
  }

private:
  std::optional<Field> rest() {
    if (buffer.empty())
      return std::nullopt;
    return Field{"", "", std::exchange(buffer, "")};
  }

  /// False at the end.
  Result<bool> readMore() {
    char bytes[65536];
    while (true) {
      ssize_t count = ::read(from, bytes, sizeof(bytes));
      if (count >= 0) {
        buffer.append(bytes, static_cast<size_t>(count));
        return count > 0;
      }
      if (errno != EINTR)
        return failed("read from", from);
    }
  }

  int from;
  std::string buffer;
};

/// What a search knows of the device before its first candidate: that it works, and what its context costs.
Result<std::unique_ptr<Device>> openWarm(const std::string &name) {
  Logger log(LogLevel::Error);
  Result<std::unique_ptr<Device>> device = openDevice({name, nullptr, hostObjectLoader()}, log);
  if (!device)
    return device;
  Result<uint64_t> address = (*device)->allocate(1);
  Status status = address ? (*device)->free(*address) : address.status();
  return status ? std::move(device) : Result<std::unique_ptr<Device>>(status);
}

/// A job and what has been made ready while it came.
struct Order {
  std::string text;
  std::unique_ptr<Device> device;
  std::unique_ptr<Assemblers> assemblers;
};

constexpr size_t kMostAssemblers = 64;

/// Starts assemblers, then opens the device as they do.
Status begin(Order &order, const std::string &device, const std::string &worker, const std::string &assemblers,
             const WorkerVoice &voice) {
  size_t count = std::min<size_t>(std::strtoul(assemblers.c_str(), nullptr, 10), kMostAssemblers);
  TuneJob helper;
  helper.device = device;
  if (count > 0)
    order.assemblers = std::make_unique<Assemblers>(worker, kWorkerArguments, count, helper.beginning());
  voice.onPhase()("opening the device", -1);
  Result<std::unique_ptr<Device>> opened = openWarm(device);
  if (opened)
    order.device = std::move(*opened);
  return opened.status();
}

Result<Order> readOrder(Input &input, const WorkerVoice &voice) {
  Order order;
  std::string device, worker;
  while (true) {
    Result<std::optional<Field>> field = input.next();
    if (!field)
      return field.status();
    if (!*field || (*field)->name == kJobEnd)
      return order;
    order.text += (*field)->written;
    if ((*field)->name == "device")
      device = (*field)->bytes;
    if ((*field)->name == "worker")
      worker = (*field)->bytes;
    if ((*field)->name == kBeginningEnd && !order.device) // a beginning may come twice: alone, and with the job
      if (Status status = begin(order, device, worker, (*field)->bytes, voice); !status)
        return status;
  }
}

/// Whether the driver takes a candidate, and has registers for it. Other failures may be of this process alone.
Status assemble(const TuneJob &job, const KernelConfig &config, Device &device) {
  Result<KernelArtifact> artifact = compileCandidate(job, config, device.target(), false);
  if (!artifact)
    return Status::ok(); // the other one knows already
  Result<std::unique_ptr<LoadedKernel>> kernel = device.load(*artifact);
  if (kernel)
    return checkSpills((*kernel)->info());
  return kernel.status().code() == StatusCode::PtxRejected ? kernel.status() : Status::ok();
}

/// Compiles and loads candidates that are asked for, so that the driver's cache has their code.
Status serveAssembly(const TuneJob &job, Device &device, Input &input, const WorkerVoice &voice) {
  while (true) {
    Result<std::optional<Field>> field = input.next();
    if (!field || !*field)
      return field.status();
    size_t index = std::strtoul((*field)->bytes.c_str(), nullptr, 10);
    if ((*field)->name != "assemble" || index >= job.candidates.size())
      return {StatusCode::InvalidArgument, "tuning job: an assembler cannot read what it is asked for"};
    voice.onPhase()("assembling", static_cast<int>(index));
    TuneRow row;
    row.outcome = TuneRow::Outcome::Failed;
    Status status = assemble(job, job.candidates[index], device);
    row.reason = status.message();
    if (!status)
      voice.onRow()(index, row);
    voice.done(index);
  }
}

/// What a trial asks to assemble many candidates.
IsolationInput assemblyOf(const TuneJob &job, const WorkerVoice &voice) {
  IsolationInput input;
  input.candidates = job.candidates;
  input.onPhase = voice.onPhase();
  input.job = [&job](std::span<const size_t> which, bool, double) {
    TuneJob part = job;
    part.assemblers = 0;
    part.isForAssembly = true;
    return part.str(which, 1, 0);
  };
  return input;
}

/// Ok once a job has been run, whatever came of it.
Status work(int from, const WorkerVoice &voice) {
  Input input(from);
  Result<Order> order = readOrder(input, voice);
  if (!order)
    return order.status();
  Result<TuneJob> job = TuneJob::parse(order->text);
  if (!job)
    return job.status();
  if (!order->device) // a job without a beginning
    if (Status status = begin(*order, job->device, job->worker, "0", voice); !status)
      return status;
  if (job->isForAssembly)
    return serveAssembly(*job, *order->device, input, voice);
  TrialInput trial = job->trial(*order->device);
  if (order->assemblers) {
    order->assemblers->begin(assemblyOf(*job, voice));
    trial.assemble = [&](std::span<const size_t> which) { return order->assemblers->assemble(which); };
  }
  trial.progress = voice.progress();
  trial.onPhase = voice.onPhase();
  trial.onRow = voice.onRow();
  trial.onEnd = [&](const Result<std::vector<TuneRow>> &rows) { voice.end(rows); };
  static_cast<void>(runTrial(trial)); // told already
  return Status::ok();
}

} // namespace

extern "C" {

tawa_status_t tawa_tune_worker(int input, int output) {
  return guard([&]() -> Status {
    if (Status status = checkOpen("read from", input); !status)
      return status;
    if (Status status = checkOpen("write to", output); !status)
      return status;
    Output out(output);
    WorkerVoice voice([&out](const std::string &line) { out.writeLine(line); });
    Status status = work(input, voice);
    if (!status)
      voice.end(status);
    return status ? out.status() : status;
  });
}

} // extern "C"
