// Asynchronous compiles.
#include "capi/Jobs.h"

#include "capi/boundary/Guard.h"
#include "capi/service/JobPool.h"
#include "capi/service/Request.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

using namespace tawa;
using namespace tawa::capi;

namespace {

/// A request with everything it points to, as the caller's ends with the call.
struct OwnedRequest {
  std::string text, name, config, hardware, configs, worker;
  std::vector<tawa_arg_t> args;
  tawa_tune_options_t tune = TAWA_TUNE_OPTIONS_INIT;
  tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;

  Status copy(const tawa_compile_request_t *given) {
    if (Status status = readStruct(given, request); !status)
      return status;
    if (Status status = checkText(request.text, request.text_len); !status)
      return status;
    if (request.num_args > kMaxArguments)
      return {StatusCode::InvalidArgument, std::to_string(request.num_args) + " arguments are too many"};
    for (uint32_t i = 0; i < request.num_args; ++i) {
      tawa_arg_t arg = TAWA_ARG_INIT;
      if (Status status = readStruct(i ? element(request.args, i) : request.args, arg); !status)
        return status;
      arg.struct_size = sizeof(arg);
      args.push_back(arg);
    }
    text.assign(request.text, request.text_len);
    request.text = text.data();
    request.args = args.data();
    own(request.name, name);
    own(request.config, config);
    return request.tune ? copyTune() : Status::ok();
  }

private:
  Status copyTune() {
    if (Status status = readStruct(request.tune, tune); !status)
      return status;
    own(tune.hardware, hardware);
    own(tune.configs, configs);
    own(tune.worker, worker);
    tune.struct_size = sizeof(tune);
    request.tune = &tune;
    return Status::ok();
  }

  static void own(const char *&pointer, std::string &copy) {
    if (!pointer)
      return;
    copy = pointer;
    pointer = copy.c_str();
  }
};

} // namespace

struct tawa_job : RefCounted {
  explicit tawa_job(tawa_runtime *runtime) : runtime(runtime) { runtime->retain(); }
  ~tawa_job() override {
    if (kernel)
      kernel->release();
    runtime->release();
  }

  void run() {
    tawa_kernel_t made = nullptr;
    Status status = contain([&]() -> Status {
      if (cancelled)
        return {StatusCode::Cancelled, "the job was cancelled before it began"};
      return compileRequest(*runtime, &owned.request, &cancelled, &made);
    });
    if (!finish(status, made) && made)
      made->release(); // the job was cancelled meanwhile
  }

  void cancel() {
    cancelled = true;
    finish({StatusCode::Cancelled, "the job was cancelled"}, nullptr);
  }

  /// The first result counts.
  bool finish(const Status &status, tawa_kernel *made) {
    std::lock_guard lock(mutex);
    if (isDone)
      return false;
    isDone = true;
    result = status;
    kernel = made;
    done.notify_all();
    return true;
  }

  tawa_runtime *runtime;
  OwnedRequest owned;
  std::atomic<bool> cancelled = false;
  std::mutex mutex; // of what follows
  std::condition_variable done;
  bool isDone = false;
  Status result;
  tawa_kernel *kernel = nullptr;
};

namespace {

struct JobDeleter {
  void operator()(tawa_job *job) const { job->release(); }
};

/// `policy` takes the place of the request's; TAWA_POLICY_DEFAULT leaves it.
Status start(tawa_runtime &runtime, const tawa_compile_request_t *request, tawa_policy_t policy, tawa_job_t *started) {
  std::unique_ptr<tawa_job, JobDeleter> job(new tawa_job(&runtime));
  if (Status status = job->owned.copy(request); !status)
    return status;
  if (policy != TAWA_POLICY_DEFAULT)
    job->owned.request.policy = policy;
  job->retain(); // for the pool
  std::shared_ptr<tawa_job> held(job.get(), JobDeleter());
  if (!runInPool([held] { held->run(); }, [held] { held->cancel(); }))
    return {StatusCode::OutOfMemory, "cannot start a thread for the job"};
  *started = job.release();
  return Status::ok();
}

Status wait(tawa_job &job, uint64_t nanoseconds, tawa_kernel_t *kernel) {
  std::unique_lock lock(job.mutex);
  auto isDone = [&] { return job.isDone; };
  constexpr uint64_t kForEver = uint64_t{1} << 62; // beyond it clocks overflow
  if (nanoseconds >= kForEver)
    job.done.wait(lock, isDone);
  else if (!job.done.wait_for(lock, std::chrono::nanoseconds(nanoseconds), isDone))
    return {StatusCode::Timeout, "the job is not done yet"};
  if (job.result && kernel) {
    job.kernel->retain();
    *kernel = job.kernel;
  }
  return job.result;
}

} // namespace

Result<RefCounted *> capi::startSearch(tawa_runtime &runtime, const tawa_compile_request_t *given) {
  tawa_job_t job = nullptr;
  Status status = start(runtime, given, TAWA_POLICY_BLOCKING, &job);
  return status ? Result<RefCounted *>(job) : status;
}

extern "C" {

tawa_status_t tawa_kernel_search(tawa_kernel_t kernel, tawa_job_t *job, tawa_error_t *error) {
  clear(job);
  return guard(error, on(kernel, [&](tawa_kernel &self) -> Status {
                 if (!job)
                   return nullArgument("job");
                 *job = static_cast<tawa_job_t>(self.search);
                 if (*job)
                   (*job)->retain();
                 return Status::ok();
               }));
}

tawa_status_t tawa_compile_async(tawa_runtime_t runtime, const tawa_compile_request_t *request, tawa_job_t *job,
                                 tawa_error_t *error) {
  clear(job);
  return guard(error, on(runtime, [&](tawa_runtime &self) -> Status {
                 if (!job)
                   return nullArgument("job");
                 return start(self, request, TAWA_POLICY_DEFAULT, job);
               }));
}

tawa_status_t tawa_job_wait(tawa_job_t job, uint64_t timeout_ns, tawa_kernel_t *kernel, tawa_error_t *error) {
  clear(kernel);
  return guard(error, on(job, [&](tawa_job &self) -> Status { return wait(self, timeout_ns, kernel); }));
}

tawa_status_t tawa_job_poll(tawa_job_t job) {
  return guard(on(job, [&](tawa_job &self) -> Status {
    std::lock_guard lock(self.mutex);
    return self.isDone ? self.result : Status(StatusCode::Busy, "the job is not done yet");
  }));
}

void tawa_job_cancel(tawa_job_t job) {
  guard(on(job, [](tawa_job &self) -> Status {
    self.cancel();
    return Status::ok();
  }));
}

void tawa_job_retain(tawa_job_t job) {
  if (job)
    job->retain();
}

void tawa_job_release(tawa_job_t job) {
  if (job)
    job->release();
}

} // extern "C"
