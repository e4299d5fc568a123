// tawa.hpp: the C interface of tawa.h and plan.h as C++17 objects that free themselves and throw. Header only; every
// call is one line to its C function, whose comment there is the documentation.
#pragma once

#include <tawa/plan.h>
#include <tawa/tawa.h>

#include <array>
#include <exception>
#include <functional>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tawa {

/// A failed call. what() holds status, message and diagnostics as text.
class Error : public std::runtime_error {
public:
  Error(tawa_status_t status, const std::string &text) : std::runtime_error(text), code(status) {}
  tawa_status_t status() const { return code; }

private:
  tawa_status_t code;
};

namespace detail {

/// Throws for a status other than TAWA_OK and frees the error object.
inline void check(tawa_status_t status, tawa_error_t error) {
  if (status == TAWA_OK)
    return;
  char *rendered = error ? tawa_error_render(error, TAWA_FORMAT_TEXT) : nullptr;
  std::string text = rendered ? rendered : tawa_status_name(status);
  tawa_free(rendered);
  tawa_error_release(error);
  throw Error(status, text);
}

/// check(call(&error)) for the functions with an error object.
template <typename Call> void checked(Call call) {
  tawa_error_t error = nullptr;
  tawa_status_t status = call(&error);
  check(status, error);
}

/// A counted handle: copies share it, the last one releases it.
template <typename Handle, void (*Retain)(Handle), void (*Release)(Handle)> class Shared {
public:
  Shared() = default;
  explicit Shared(Handle adopted) : handle(adopted) {}
  Shared(const Shared &other) : handle(other.handle) { Retain(handle); }
  Shared(Shared &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Shared &operator=(Shared other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Shared() { Release(handle); }
  Handle get() const { return handle; }
  explicit operator bool() const { return handle != nullptr; }

private:
  Handle handle = nullptr;
};

/// The element type of a C++ number.
template <typename T> constexpr tawa_dtype_t dtypeOf() {
  static_assert(std::is_integral_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>,
                "a number of a kernel is an integer, a float or a double; other types: tawa_number()");
  if (std::is_same_v<T, bool>)
    return TAWA_I1;
  if (std::is_floating_point_v<T>)
    return std::is_same_v<T, float> ? TAWA_F32 : TAWA_F64;
  return sizeof(T) == 1 ? TAWA_I8 : sizeof(T) == 2 ? TAWA_I16 : sizeof(T) == 4 ? TAWA_I32 : TAWA_I64;
}

} // namespace detail

/// A view of elements that lie in a row, made from a vector, an array, a list in braces or an address and a number.
/// Good for the parameters of a call: it must not outlive what it was made from.
template <typename T> class Span {
public:
  Span() = default;
  Span(const T *first, size_t size) : first(first), count(size) {}
  Span(const std::vector<T> &elements) : Span(elements.data(), elements.size()) {}
  Span(std::initializer_list<T> elements) : Span(elements.begin(), elements.size()) {}
  template <size_t N> Span(const std::array<T, N> &elements) : Span(elements.data(), N) {}
  template <size_t N> Span(const T (&elements)[N]) : Span(elements, N) {}

  const T *data() const { return first; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const T *begin() const { return first; }
  const T *end() const { return first + count; }
  const T &operator[](size_t i) const { return first[i]; }

private:
  const T *first = nullptr;
  size_t count = 0;
};

/// What compile() and launch() take: one per tensor or number of the kernel.
using Args = Span<tawa_arg_t>;

/// Arguments, for compile() and launch(). tensor(TAWA_F16, memory.data(), {M, K}) is contiguous unless `strides` says
/// otherwise, in elements and one per dimension; an empty shape is a bare pointer.
inline tawa_arg_t tensor(tawa_dtype_t dtype, void *data, Span<int64_t> shape, Span<int64_t> strides = {}) {
  if (!strides.empty() && strides.size() != shape.size())
    throw Error(TAWA_E_INVALID_ARGUMENT, "tensor(): " + std::to_string(strides.size()) + " strides for " +
                                             std::to_string(shape.size()) + " dimensions");
  tawa_arg_t arg = tawa_tensor(dtype, data, static_cast<uint32_t>(shape.size()), shape.data());
  for (size_t i = 0; i < strides.size() && i < TAWA_MAX_RANK; ++i)
    arg.strides[i] = strides[i];
  return arg;
}
inline tawa_arg_t pointer(tawa_dtype_t dtype, void *data) { return tawa_pointer(dtype, data); }
/// A number that each launch may change, of the kernel's type that the C++ type has: scalar(0.5f), scalar<int64_t>(n).
template <typename T> tawa_arg_t scalar(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return tawa_number(detail::dtypeOf<T>(), value);
  else
    return tawa_integer(detail::dtypeOf<T>(), static_cast<int64_t>(value));
}
/// A number that is compiled in.
template <typename T> tawa_arg_t constant(T value) { return tawa_constant(scalar(value)); }

namespace detail {

/// Throws the error that a failed launch of this thread recorded.
inline void checkLaunch(tawa_status_t status) {
  if (status != TAWA_OK)
    throw Error(status, std::string(tawa_status_name(status)) + ": " + tawa_last_launch_error());
}

/// The result of a call that hands out text for the caller to free.
template <typename Call> std::string text(Call call) {
  char *bytes = nullptr;
  checked([&](tawa_error_t *error) { return call(&bytes, error); });
  std::string copy = bytes ? bytes : "";
  tawa_free(bytes);
  return copy;
}

/// One fact of an object: fact(TAWA_ROLE_INFO_INIT, tawa_kernel_role, kernel, 0).
template <typename Struct, typename Call, typename... Which> Struct fact(Struct empty, Call call, Which... which) {
  check(call(which..., &empty), nullptr);
  return empty;
}

/// A function of the caller, called by the library: what it throws is kept until it may fly on.
class Callback {
public:
  /// 0, or 1 where the body threw.
  template <typename Body> int run(Body body) noexcept {
    try {
      return body();
    } catch (...) {
      thrown = std::current_exception();
      return 1;
    }
  }
  void rethrow() const {
    if (thrown)
      std::rethrow_exception(thrown);
  }

private:
  std::exception_ptr thrown;
};

} // namespace detail

/// Arguments checked and packed once, for launches that differ in addresses only. Copies share it.
class Binding : public detail::Shared<tawa_binding_t, tawa_binding_retain, tawa_binding_release> {
public:
  using Shared::Shared;

  /// `data`: one address per tensor argument; none: those of bind().
  void launch(Span<void *> data = {}, void *stream = nullptr) const {
    detail::checkLaunch(
        tawa_binding_launch(get(), data.empty() ? nullptr : data.data(), static_cast<uint32_t>(data.size()), stream));
  }

  tawa_launch_plan_t plan(Span<void *> data = {}) const {
    tawa_launch_plan_t plan = TAWA_LAUNCH_PLAN_INIT;
    detail::checked([&](tawa_error_t *error) {
      return tawa_binding_plan(get(), data.empty() ? nullptr : data.data(), static_cast<uint32_t>(data.size()), &plan,
                               error);
    });
    return plan;
  }
};

class Job;

/// A loaded kernel. Copies share it. Strings of the facts live as long as the kernel.
class Kernel : public detail::Shared<tawa_kernel_t, tawa_kernel_retain, tawa_kernel_release> {
public:
  using Shared::Shared;

  tawa_kernel_info_t info() const {
    return detail::fact(tawa_kernel_info_t TAWA_KERNEL_INFO_INIT, tawa_kernel_info, get());
  }
  tawa_arg_info_t argument(uint32_t index) const {
    return detail::fact(tawa_arg_info_t TAWA_ARG_INFO_INIT, tawa_kernel_argument, get(), index);
  }
  tawa_role_info_t role(uint32_t index) const {
    return detail::fact(tawa_role_info_t TAWA_ROLE_INFO_INIT, tawa_kernel_role, get(), index);
  }
  tawa_ring_info_t ring(uint32_t index) const {
    return detail::fact(tawa_ring_info_t TAWA_RING_INFO_INIT, tawa_kernel_ring, get(), index);
  }
  tawa_phase_info_t phase(uint32_t index) const {
    return detail::fact(tawa_phase_info_t TAWA_PHASE_INFO_INIT, tawa_kernel_phase, get(), index);
  }
  tawa_diagnostic_t diagnostic(uint32_t index) const {
    return detail::fact(tawa_diagnostic_t TAWA_DIAGNOSTIC_INIT, tawa_kernel_diagnostic, get(), index);
  }
  /// TAWA_STAGE_PTX or TAWA_STAGE_HOST_OBJECT, whichever the device runs.
  std::string_view artifact(tawa_stage_t stage) const {
    const void *data = nullptr;
    size_t size = 0;
    detail::checked([&](tawa_error_t *error) { return tawa_kernel_artifact(get(), stage, &data, &size, error); });
    return {static_cast<const char *>(data), size};
  }

  void launch(Args args, void *stream = nullptr,
              const tawa_launch_options_t &options = TAWA_LAUNCH_OPTIONS_INIT) const {
    detail::checkLaunch(tawa_launch(get(), args.data(), static_cast<uint32_t>(args.size()), stream, &options));
  }
  /// Milliseconds for all of the launches.
  double time(Args args, uint32_t warmup, uint32_t launches, void *stream = nullptr,
              const tawa_launch_options_t &options = TAWA_LAUNCH_OPTIONS_INIT) const {
    double milliseconds = 0;
    detail::checked([&](tawa_error_t *error) {
      return tawa_launch_timed(get(), args.data(), static_cast<uint32_t>(args.size()), stream, &options, warmup,
                               launches, &milliseconds, error);
    });
    return milliseconds;
  }
  Binding bind(Args args, const tawa_launch_options_t &options = TAWA_LAUNCH_OPTIONS_INIT) const {
    tawa_binding_t made = nullptr;
    detail::checked([&](tawa_error_t *error) {
      return tawa_bind(get(), args.data(), static_cast<uint32_t>(args.size()), &options, &made, error);
    });
    return Binding(made);
  }

  /// `context`: a CUcontext; null: the one that a launch of this thread would work in.
  void load(void *context = nullptr) const {
    detail::checked([&](tawa_error_t *error) { return tawa_kernel_load(get(), context, error); });
  }
  void *function() const {
    void *found = nullptr;
    detail::checked([&](tawa_error_t *error) { return tawa_kernel_function(get(), &found, error); });
    return found;
  }
  /// The search that TAWA_POLICY_BACKGROUND began; empty where there is none.
  inline Job search() const;
};

/// A compile that goes on on a thread of the library. Copies share it.
class Job : public detail::Shared<tawa_job_t, tawa_job_retain, tawa_job_release> {
public:
  using Shared::Shared;

  Kernel wait() const {
    tawa_kernel_t kernel = nullptr;
    detail::checked([&](tawa_error_t *error) { return tawa_job_wait(get(), UINT64_MAX, &kernel, error); });
    return Kernel(kernel);
  }
  /// Nothing where it is not done by then.
  std::optional<Kernel> wait(uint64_t nanoseconds) const {
    tawa_kernel_t kernel = nullptr;
    tawa_error_t error = nullptr;
    tawa_status_t status = tawa_job_wait(get(), nanoseconds, &kernel, &error);
    if (status == TAWA_E_TIMEOUT && tawa_job_poll(get()) == TAWA_E_BUSY) {
      tawa_error_release(error);
      return std::nullopt;
    }
    detail::check(status, error);
    return Kernel(kernel);
  }
  bool isDone() const { return tawa_job_poll(get()) != TAWA_E_BUSY; }
  void cancel() const { tawa_job_cancel(get()); }
};

inline Job Kernel::search() const {
  tawa_job_t job = nullptr;
  detail::checked([&](tawa_error_t *error) { return tawa_kernel_search(get(), &job, error); });
  return Job(job);
}

/// What a kernel's text asks for. Moves, does not copy.
class Signature {
public:
  explicit Signature(std::string_view text, const std::string &name = "<kernel>") {
    detail::checked([&](tawa_error_t *error) {
      return tawa_signature_read(text.data() ? text.data() : "", text.size(), name.c_str(), &handle, error);
    });
  }
  Signature(Signature &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Signature &operator=(Signature &&) = delete;
  ~Signature() { tawa_signature_release(handle); }

  std::string entry() const { return tawa_signature_entry(handle); }
  std::string grid() const { return tawa_signature_grid(handle); }
  std::vector<tawa_arg_info_t> arguments() const {
    std::vector<tawa_arg_info_t> all;
    all.reserve(tawa_signature_argument_count(handle));
    for (uint32_t i = 0; i < tawa_signature_argument_count(handle); ++i)
      all.push_back(detail::fact(tawa_arg_info_t TAWA_ARG_INFO_INIT, tawa_signature_argument, handle, i));
    return all;
  }
  std::vector<tawa_parameter_info_t> parameters() const {
    std::vector<tawa_parameter_info_t> all;
    all.reserve(tawa_signature_parameter_count(handle));
    for (uint32_t i = 0; i < tawa_signature_parameter_count(handle); ++i)
      all.push_back(detail::fact(tawa_parameter_info_t TAWA_PARAMETER_INFO_INIT, tawa_signature_parameter, handle, i));
    return all;
  }

private:
  tawa_signature_t handle = nullptr;
};

/// What a search found. Moves, does not copy; strings of rows live as long as it does.
class TuneResult {
public:
  explicit TuneResult(tawa_tune_result_t adopted) : handle(adopted) {}
  TuneResult(TuneResult &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  TuneResult &operator=(TuneResult &&) = delete;
  ~TuneResult() { tawa_tune_result_release(handle); }

  std::string best() const { return tawa_tune_result_best(handle); }
  uint32_t size() const { return tawa_tune_result_count(handle); }
  tawa_tune_row_t row(uint32_t index) const {
    return detail::fact(tawa_tune_row_t TAWA_TUNE_ROW_INIT, tawa_tune_result_row, handle, index);
  }

private:
  tawa_tune_result_t handle;
};

/// A kernel's text with all that decides what is compiled. Refers to the text and the arguments, holds the rest.
struct Request {
  std::string_view text;
  Args args;
  /// Without one the policy decides: what a search found for such shapes, where there was one. A config names what is
  /// not to have its default; "" is all defaults.
  std::optional<std::string> config = std::nullopt;
  std::string name = "<kernel>";
  tawa_policy_t policy = TAWA_POLICY_DEFAULT;
  const tawa_tune_options_t *tune = nullptr;

  /// As the C interface takes it, as long as this object is there and unchanged.
  tawa_compile_request_t raw() const {
    tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
    request.text = text.data() ? text.data() : "";
    request.text_len = text.size();
    request.name = name.c_str();
    request.args = args.data();
    request.num_args = static_cast<uint32_t>(args.size());
    request.config = config ? config->c_str() : nullptr;
    request.policy = policy;
    request.tune = tune;
    return request;
  }
};

/// A device with what is compiled for it. Copies share it.
class Runtime : public detail::Shared<tawa_runtime_t, tawa_runtime_retain, tawa_runtime_release> {
public:
  using Shared::Shared;

  static Runtime create(const tawa_runtime_options_t &options = TAWA_RUNTIME_OPTIONS_INIT) {
    tawa_runtime_t created = nullptr;
    detail::checked([&](tawa_error_t *error) { return tawa_runtime_create(&options, &created, error); });
    return Runtime(created);
  }

  tawa_device_info_t deviceInfo() const {
    return detail::fact(tawa_device_info_t TAWA_DEVICE_INFO_INIT, tawa_runtime_device_info, get());
  }
  tawa_cache_counters_t cacheCounters() const {
    return detail::fact(tawa_cache_counters_t TAWA_CACHE_COUNTERS_INIT, tawa_runtime_cache_counters, get());
  }

  Kernel compile(const Request &request) const {
    tawa_compile_request_t raw = request.raw();
    tawa_kernel_t kernel = nullptr;
    detail::checked([&](tawa_error_t *error) { return tawa_compile(get(), &raw, &kernel, error); });
    return Kernel(kernel);
  }
  Kernel compile(std::string_view text, Args args, const std::optional<std::string> &config = std::nullopt,
                 const std::string &name = "<kernel>", tawa_policy_t policy = TAWA_POLICY_DEFAULT) const {
    return compile(Request{text, args, config, name, policy});
  }
  Job compileAsync(const Request &request) const {
    tawa_compile_request_t raw = request.raw();
    tawa_job_t job = nullptr;
    detail::checked([&](tawa_error_t *error) { return tawa_compile_async(get(), &raw, &job, error); });
    return Job(job);
  }
  /// True where the cache had it already. `target`: null for the runtime's device.
  bool compileToCache(const Request &request, const char *target = nullptr) const {
    tawa_compile_request_t raw = request.raw();
    uint32_t wasThere = 0;
    detail::checked([&](tawa_error_t *error) { return tawa_compile_to_cache(get(), &raw, target, &wasThere, error); });
    return wasThere != 0;
  }
  /// Why the cache has no such kernel; "" where it has.
  std::string explainMiss(const Request &request) const {
    tawa_compile_request_t raw = request.raw();
    return detail::text([&](char **text, tawa_error_t *error) { return tawa_cache_explain(get(), &raw, text, error); });
  }
  std::string emit(tawa_stage_t stage, const Request &request) const {
    tawa_compile_request_t raw = request.raw();
    char *data = nullptr;
    size_t size = 0;
    detail::checked([&](tawa_error_t *error) { return tawa_emit(get(), &raw, stage, &data, &size, error); });
    std::string bytes(data, size);
    tawa_free(data);
    return bytes;
  }
  std::string emit(tawa_stage_t stage, std::string_view text, Args args,
                   const std::optional<std::string> &config = std::nullopt,
                   const std::string &name = "<kernel>") const {
    return emit(stage, Request{text, args, config, name});
  }

  TuneResult tune(const Request &request, const tawa_tune_options_t &options = TAWA_TUNE_OPTIONS_INIT) const {
    tawa_compile_request_t raw = request.raw();
    tawa_tune_result_t result = nullptr;
    detail::checked([&](tawa_error_t *error) { return tawa_tune(get(), &raw, &options, &result, error); });
    return TuneResult(result);
  }
  /// `progress` returns whether to go on; what it throws ends the search and is thrown here. It is called from threads
  /// of the library.
  TuneResult tune(const Request &request, tawa_tune_options_t options,
                  const std::function<bool(const tawa_tune_progress_t &)> &progress) const {
    struct Watcher {
      detail::Callback callback;
      const std::function<bool(const tawa_tune_progress_t &)> &progress;
    } watcher{{}, progress};
    options.progress_user = &watcher;
    options.progress = [](void *user, const tawa_tune_progress_t *step) {
      auto *watching = static_cast<Watcher *>(user);
      return watching->callback.run([&] { return watching->progress(*step) ? 0 : 1; });
    };
    try {
      return tune(request, options);
    } catch (const Error &) {
      watcher.callback.rethrow();
      throw;
    }
  }

  /// The hardware description of the device, or of another by name.
  std::string hardware(const char *name = nullptr) const {
    return detail::text(
        [&](char **text, tawa_error_t *error) { return tawa_hardware_describe(get(), name, text, error); });
  }

  void synchronize(void *stream = nullptr) const {
    detail::checked([&](tawa_error_t *error) { return tawa_synchronize(get(), stream, error); });
  }
  /// False once a fault has broken the CUDA context for good.
  bool works() const { return tawa_runtime_check(get(), nullptr) == TAWA_OK; }

  void registerMemory(void *address, size_t bytes) const {
    detail::checked([&](tawa_error_t *error) { return tawa_memory_register(get(), address, bytes, error); });
  }
  void unregisterMemory(void *address) const {
    detail::checked([&](tawa_error_t *error) { return tawa_memory_unregister(get(), address, error); });
  }
};

/// One cache, without a runtime. Moves, does not copy.
class Cache {
public:
  /// `path`: a folder, or to read also an exported file; null: the folder that the environment names.
  explicit Cache(const char *path = nullptr, tawa_cache_access_t access = TAWA_CACHE_READ) {
    detail::checked([&](tawa_error_t *error) { return tawa_cache_open(path, access, &handle, error); });
  }
  Cache(Cache &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Cache &operator=(Cache &&) = delete;
  ~Cache() { tawa_cache_release(handle); }

  /// The folder that the environment names; "" where there is to be none.
  static std::string folder() { return detail::text(tawa_cache_folder); }

  std::string file() const { return tawa_cache_file(handle); }
  /// `visit` returns whether to go on, and may throw.
  void visit(const std::function<bool(const tawa_cache_entry_t &)> &visit) const {
    struct Visitor {
      detail::Callback callback;
      const std::function<bool(const tawa_cache_entry_t &)> &visit;
    } visitor{{}, visit};
    auto each = [](void *user, const tawa_cache_entry_t *entry) {
      auto *visiting = static_cast<Visitor *>(user);
      return visiting->callback.run([&] { return visiting->visit(*entry) ? 0 : 1; });
    };
    detail::checked([&](tawa_error_t *error) { return tawa_cache_visit(handle, each, &visitor, error); });
    visitor.callback.rethrow();
  }
  /// Number of bad entries; removes them if asked to.
  uint64_t verify(bool repair = false) const {
    return counted([&](uint64_t *bad, tawa_error_t *error) { return tawa_cache_verify(handle, repair, bad, error); });
  }
  /// Number of entries removed: those not used since then (seconds since 1970), and the least recently used beyond a
  /// size.
  uint64_t prune(uint64_t maxBytes, int64_t unusedSince = 0) const {
    return counted([&](uint64_t *removed, tawa_error_t *error) {
      return tawa_cache_prune(handle, maxBytes, unusedSince, removed, error);
    });
  }
  uint64_t copyTo(const Cache &other, tawa_cache_kind_t kind = TAWA_CACHE_ALL) const {
    return counted([&](uint64_t *copied, tawa_error_t *error) {
      return tawa_cache_copy(handle, other.handle, kind, copied, error);
    });
  }
  uint64_t exportTo(const std::string &path, bool seal = false, tawa_cache_kind_t kind = TAWA_CACHE_ALL) const {
    return counted([&](uint64_t *copied, tawa_error_t *error) {
      return tawa_cache_export(handle, path.c_str(), kind, seal, copied, error);
    });
  }

private:
  template <typename Call> static uint64_t counted(Call call) {
    uint64_t count = 0;
    detail::checked([&](tawa_error_t *error) { return call(&count, error); });
    return count;
  }

  tawa_cache_t handle = nullptr;
};

/// What tawa_plan() finds, as JSON.
inline std::string plan(const tawa_plan_request_t &request) {
  return detail::text([&](char **json, tawa_error_t *error) { return tawa_plan(&request, json, error); });
}
/// The machines that plans can be made for, one a line.
inline std::string planMachines() { return detail::text(tawa_plan_machines); }

/// Memory on a runtime's device, freed with the object. Moves, does not copy.
class Memory {
public:
  Memory(Runtime runtime, size_t bytes) : owner(std::move(runtime)), size(bytes) {
    detail::checked([&](tawa_error_t *error) { return tawa_memory_allocate(owner.get(), size, &address, error); });
  }
  Memory(Memory &&other) noexcept
      : owner(std::move(other.owner)), address(std::exchange(other.address, nullptr)), size(other.size) {}
  Memory &operator=(Memory &&) = delete;
  ~Memory() {
    if (address)
      tawa_memory_free(owner.get(), address, nullptr);
  }

  void *data() const { return address; }
  size_t bytes() const { return size; }
  void copyIn(const void *host) {
    detail::checked([&](tawa_error_t *error) { return tawa_memory_copy_in(owner.get(), address, host, size, error); });
  }
  void copyOut(void *host) const {
    detail::checked([&](tawa_error_t *error) { return tawa_memory_copy_out(owner.get(), host, address, size, error); });
  }
  void fill(uint8_t value) {
    detail::checked([&](tawa_error_t *error) { return tawa_memory_fill(owner.get(), address, value, size, error); });
  }

private:
  Runtime owner;
  void *address = nullptr;
  size_t size;
};

} // namespace tawa
