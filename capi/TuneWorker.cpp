// The other side of a search: a job read, run on a device of its own, and told line by line.
#include "capi/Guard.h"
#include "capi/HostLoader.h"
#include "capi/TuneCall.h"
#include "runtime/device/Registry.h"
#include "runtime/tuner/Isolation.h"

#include <unistd.h>

using namespace tawa;
using namespace tawa::capi;

namespace {

/// A line at a time, whole, so that whoever listens never sees half of one.
void writeLine(int to, std::string line) {
  line += '\n';
  for (size_t at = 0; at < line.size();) {
    ssize_t count = ::write(to, line.data() + at, line.size() - at);
    if (count <= 0)
      return; // nobody listens any more
    at += static_cast<size_t>(count);
  }
}

std::string readAll(int from) {
  std::string text;
  char bytes[65536];
  for (ssize_t count = 0; (count = ::read(from, bytes, sizeof(bytes))) > 0;)
    text.append(bytes, static_cast<size_t>(count));
  return text;
}

Status work(int input, const WorkerVoice &voice) {
  Result<TuneJob> job = TuneJob::parse(readAll(input));
  if (!job)
    return job.status();
  Logger log(LogLevel::Error);
  Result<std::unique_ptr<Device>> device = openDevice({job->device, nullptr, hostObjectLoader()}, log);
  if (!device)
    return device.status();
  TrialInput trial = job->trial(**device);
  trial.progress = voice.progress();
  trial.onRow = voice.onRow();
  voice.end(runTrial(trial));
  return Status::ok();
}

} // namespace

extern "C" {

tawa_status_t tawa_tune_worker(int input, int output) {
  return guard([&]() -> Status {
    WorkerVoice voice([output](const std::string &line) { writeLine(output, line); });
    Status status = work(input, voice);
    if (!status)
      voice.end(status);
    return Status::ok();
  });
}

} // extern "C"
