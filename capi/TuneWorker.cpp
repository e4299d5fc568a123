// The other side of a search: a job read, run on a device of its own, and told line by line.
#include "capi/boundary/Guard.h"
#include "capi/service/HostLoader.h"
#include "capi/service/TuneCall.h"
#include "runtime/device/Registry.h"
#include "runtime/tuner/trial/Isolation.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

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

Result<std::string> readAll(int from) {
  std::string text;
  char bytes[65536];
  while (true) {
    ssize_t count = ::read(from, bytes, sizeof(bytes));
    if (count == 0)
      return text;
    if (count > 0)
      text.append(bytes, static_cast<size_t>(count));
    else if (errno != EINTR)
      return failed("read from", from);
  }
}

/// Compiles and loads candidates, so that the driver's cache has their code.
Result<std::vector<TuneRow>> assemble(const TuneJob &job, Device &device, const WorkerVoice &voice) {
  for (size_t i = 0; i < job.candidates.size(); ++i) {
    voice.onPhase()("assembling", static_cast<int>(i));
    Result<KernelArtifact> artifact = compileCandidate(job, job.candidates[i], device.target(), false);
    Status status = artifact ? device.load(*artifact).status() : Status::ok(); // the other one knows already
    TuneRow row;
    row.outcome = TuneRow::Outcome::Failed;
    row.reason = status.message();
    if (status.code() == StatusCode::PtxRejected) // other failures may be of this process alone
      voice.onRow()(i, row);
  }
  return std::vector<TuneRow>();
}

/// What a trial asks to assemble many candidates. Of a device without a cache of its own nothing would remain.
IsolationInput assemblyOf(const TuneJob &job, const WorkerVoice &voice) {
  IsolationInput input;
  input.program = job.worker;
  input.arguments = kWorkerArguments;
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
Status work(int input, const WorkerVoice &voice) {
  Result<std::string> text = readAll(input);
  if (!text)
    return text.status();
  Result<TuneJob> job = TuneJob::parse(*text);
  if (!job)
    return job.status();
  Logger log(LogLevel::Error);
  voice.onPhase()("opening the device", -1);
  Result<std::unique_ptr<Device>> device = openDevice({job->device, nullptr, hostObjectLoader()}, log);
  if (!device)
    return device.status();
  if (job->isForAssembly) {
    voice.end(assemble(*job, **device, voice));
    return Status::ok();
  }
  TrialInput trial = job->trial(**device);
  IsolationInput assembly = assemblyOf(*job, voice);
  if (job->assemblers > 0)
    trial.assemble = [&](std::span<const size_t> which) { return assembleBeside(assembly, which, job->assemblers); };
  trial.progress = voice.progress();
  trial.onPhase = voice.onPhase();
  trial.onRow = voice.onRow();
  voice.end(runTrial(trial));
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
