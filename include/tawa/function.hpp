// function.hpp: a kernel as a function of DLPack tensors and numbers, for C++ programs without Python. Header only,
// needs no header of DLPack: DLTensor, DLManagedTensor and DLManagedTensorVersioned, or the mirrors in dlpack.h, are
// told by their members.
//
//   tawa::Function scale(runtime, text);          // compiled once, for all shapes
//   scale(x, y, 1000, 2.0);                       // DLManagedTensor *x, *y
//   scale.on(stream)(x, y, 1000, 2.0);
//
// Tensors stay the caller's: nothing of them is kept after the call, and no deleter is called. Their memory must live
// until the launch has run. Whether a kernel writes to a tensor is not known, so the flag "read only" is not looked at.
#pragma once

#include <tawa/dlpack.h>
#include <tawa/tawa.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace tawa {

namespace detail {

template <typename T, typename = void> struct HoldsTensor : std::false_type {};
template <typename T> struct HoldsTensor<T, std::void_t<decltype(T::dl_tensor)>> : std::true_type {};
template <typename T, typename = void> struct IsTensor : std::false_type {};
template <typename T>
struct IsTensor<T, std::void_t<decltype(T::ndim), decltype(T::strides), decltype(T::byte_offset)>> : std::true_type {};

} // namespace detail

/// One argument of a Function: a DLPack tensor or a number.
class Value {
public:
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Value(T value) : kind(std::is_floating_point_v<T> ? Kind::number : Kind::integer) {
    if constexpr (std::is_floating_point_v<T>)
      real = value;
    else
      whole = static_cast<int64_t>(value);
  }
  template <typename T, typename = std::enable_if_t<detail::HoldsTensor<T>::value || detail::IsTensor<T>::value>>
  Value(const T *tensor) : kind(Kind::tensor) {
    if constexpr (detail::HoldsTensor<T>::value)
      described = tensor ? &tensor->dl_tensor : nullptr;
    else
      described = tensor;
    static_assert(sizeof(tawa_dltensor_t) == 48, "the layout of DLTensor");
  }

private:
  friend class Function;
  enum class Kind { tensor, integer, number };
  Kind kind;
  const void *described = nullptr;
  int64_t whole = 0;
  double real = 0;
};

namespace detail {

/// Host memory that one launch on the emulator reaches. What is within reach already is left as it is; launches wait
/// for one another, since they may share tensors.
class Reach {
public:
  Reach(const Runtime &runtime, Args args) : runtime(runtime), lock(launches()) {
    for (const auto &[first, end] : merged(args)) {
      tawa_status_t status = tawa_memory_register(runtime.get(), first, static_cast<size_t>(end - first), nullptr);
      if (status == TAWA_OK)
        registered.push_back(first);
    }
  }
  Reach(const Reach &) = delete;
  Reach &operator=(const Reach &) = delete;
  ~Reach() {
    for (void *address : registered)
      tawa_memory_unregister(runtime.get(), address, nullptr);
  }

private:
  using Extent = std::pair<char *, char *>;

  static std::mutex &launches() {
    static std::mutex mutex;
    return mutex;
  }
  static int64_t bytesOf(tawa_dtype_t dtype) {
    constexpr int64_t bytes[] = {1, 1, 2, 4, 8, 1, 1, 2, 2, 4, 8};
    return bytes[dtype];
  }
  static Extent extentOf(const tawa_arg_t &arg) {
    int64_t contiguous = 1, first = 0, last = 0;
    bool hasStrides = std::any_of(arg.strides, arg.strides + arg.rank, [](int64_t stride) { return stride != 0; });
    for (uint32_t i = arg.rank; i-- > 0;) {
      int64_t step = (arg.shape[i] - 1) * (hasStrides ? arg.strides[i] : contiguous);
      contiguous *= arg.shape[i];
      (step < 0 ? first : last) += step;
    }
    char *data = static_cast<char *>(arg.data);
    if (contiguous == 0 || !data)
      return {data, data};
    return {data + first * bytesOf(arg.dtype), data + (last + 1) * bytesOf(arg.dtype)};
  }
  /// Extents that do not overlap.
  static std::vector<Extent> merged(Args args) {
    std::vector<Extent> all, joined;
    for (const tawa_arg_t &arg : args)
      if (Extent extent = extentOf(arg); arg.kind == TAWA_ARG_TENSOR && extent.first < extent.second)
        all.push_back(extent);
    std::sort(all.begin(), all.end());
    for (const Extent &extent : all)
      if (!joined.empty() && extent.first < joined.back().second)
        joined.back().second = std::max(joined.back().second, extent.second);
      else
        joined.push_back(extent);
    return joined;
  }

  const Runtime &runtime;
  std::lock_guard<std::mutex> lock;
  std::vector<void *> registered;
};

} // namespace detail

/// A kernel that is called with DLPack tensors and numbers. Copies share it; any thread may call. Failures throw Error,
/// with the argument's name. On the emulator the tensors are the host's, and the kernel has run when the call returns.
class Function {
public:
  using Grid = std::array<uint32_t, 3>;

  /// Compiles the text, for all shapes; facts of shapes: compile with them, and use the other constructor.
  Function(const Runtime &runtime, std::string_view text, const std::optional<std::string> &config = std::nullopt,
           const std::string &name = "<kernel>")
      : Function(runtime, compileForAll(runtime, text, config, name)) {}
  /// `runtime`: that which the kernel was compiled by.
  Function(const Runtime &runtime, const Kernel &kernel) : state(std::make_shared<State>(runtime, kernel)) {}

  const Kernel &kernel() const { return state->kernel; }
  std::string name() const { return kernel().info().entry; }
  /// Device of the kernel as DLPack counts devices: type (1: CPU, for the emulator; 2: CUDA) and number.
  int32_t deviceType() const { return state->deviceType; }
  int32_t deviceId() const { return state->deviceId; }

  /// One value for each argument of the kernel, in its order. `stream`: a CUstream. `grid`: CTAs; {0, 0, 0}: from the
  /// text. Arguments of known types, shapes, strides, numbers and grid are checked and packed once per thread; such
  /// calls change nothing but addresses.
  void call(Span<Value> values, void *stream = nullptr, Grid grid = {0, 0, 0}) const {
    std::vector<tawa_arg_t> args = argumentsOf(values);
    std::vector<void *> data;
    for (const tawa_arg_t &arg : args)
      if (arg.kind == TAWA_ARG_TENSOR)
        data.push_back(arg.data);
    std::optional<detail::Reach> reach;
    if (deviceType() == cpu)
      reach.emplace(state->runtime, args);
    bindingFor(args, grid).launch(data, stream);
  }
  template <typename... T> void operator()(const T &...values) const { call({Value(values)...}); }

  /// The function on a stream, with a grid: function.on(stream, {16})(x, y).
  auto on(void *stream, Grid grid = {0, 0, 0}) const {
    return [self = *this, stream, grid](const auto &...values) { self.call({Value(values)...}, stream, grid); };
  }

private:
  enum { cpu = 1, cuda = 2, cudaHost = 3, cudaManaged = 13, maxBindings = 64 };
  /// All that a binding depends on.
  using Key = std::vector<int64_t>;

  struct State {
    State(const Runtime &runtime, const Kernel &kernel) : runtime(runtime), kernel(kernel) {
      tawa_device_info_t info = runtime.deviceInfo();
      deviceType = info.kind == TAWA_DEVICE_EMULATOR ? cpu : cuda;
      const char *number = std::strchr(info.name, ':');
      deviceId = number ? std::atoi(number + 1) : 0;
      for (uint32_t i = 0; i < kernel.info().num_args; ++i)
        parameters.push_back(kernel.argument(i));
    }
    Runtime runtime;
    Kernel kernel;
    int32_t deviceType, deviceId;
    std::vector<tawa_arg_info_t> parameters;
    std::mutex mutex;
    std::map<Key, Binding> bindings;
  };

  static Kernel compileForAll(const Runtime &runtime, std::string_view text, const std::optional<std::string> &config,
                              const std::string &name) {
    std::vector<tawa_arg_t> args;
    Signature signature(text, name);
    for (const tawa_arg_info_t &known : signature.arguments()) {
      tawa_arg_t arg = TAWA_ARG_INIT;
      arg.kind = known.kind;
      arg.dtype = known.dtype;
      arg.rank = known.rank;
      std::fill(arg.shape, arg.shape + arg.rank, TAWA_UNKNOWN);
      args.push_back(arg);
    }
    return runtime.compile(text, args, config, name);
  }

  [[noreturn]] void refuse(tawa_status_t status, size_t index, const std::string &what) const {
    throw Error(status, name() + "(): argument '" + state->parameters[index].name + "' (" + std::to_string(index + 1) +
                            " of " + std::to_string(state->parameters.size()) + ") " + what);
  }

  std::vector<tawa_arg_t> argumentsOf(Span<Value> values) const {
    if (values.size() != state->parameters.size())
      throw Error(TAWA_E_INVALID_ARGUMENT, name() + "() takes " + std::to_string(state->parameters.size()) +
                                               " arguments, " + std::to_string(values.size()) + " were given");
    std::vector<tawa_arg_t> args;
    args.reserve(values.size());
    for (size_t i = 0; i < values.size(); ++i)
      args.push_back(state->parameters[i].kind == TAWA_ARG_TENSOR ? tensorOf(values[i], i) : numberOf(values[i], i));
    return args;
  }

  static std::string deviceName(int32_t type, int32_t id) {
    if (type == cpu || type == cudaHost)
      return "the CPU";
    return type == cuda || type == cudaManaged ? "cuda:" + std::to_string(id) : "DLPack device " + std::to_string(type);
  }

  tawa_arg_t tensorOf(const Value &value, size_t index) const {
    if (value.kind != Value::Kind::tensor)
      refuse(TAWA_E_INVALID_ARGUMENT, index, "is a number, the kernel takes a tensor");
    const auto *tensor = static_cast<const tawa_dltensor_t *>(value.described);
    if (!tensor)
      refuse(TAWA_E_INVALID_ARGUMENT, index, "is NULL");
    bool isHost = tensor->device_type == cpu || tensor->device_type == cudaHost;
    bool isOurs =
        (tensor->device_type == cuda || tensor->device_type == cudaManaged) && tensor->device_id == deviceId();
    if (deviceType() == cpu ? !isHost : !isOurs)
      refuse(TAWA_E_INVALID_ARGUMENT, index,
             "is on " + deviceName(tensor->device_type, tensor->device_id) + ", the kernel is on " +
                 (deviceType() == cpu ? "the emulator, which takes tensors of the CPU" : deviceName(cuda, deviceId())));
    tawa_arg_t arg = TAWA_ARG_INIT;
    tawa_status_t status = tawa_arg_from_dlpack(tensor, &arg);
    if (status == TAWA_E_UNSUPPORTED)
      refuse(status, index,
             "has elements of DLPack type (code " + std::to_string(tensor->code) + ", " + std::to_string(tensor->bits) +
                 " bits, " + std::to_string(tensor->lanes) + " lanes), or strides of 0, which no kernel takes");
    if (status != TAWA_OK)
      refuse(status, index, "has " + std::to_string(tensor->ndim) + " dimensions");
    return arg;
  }

  tawa_arg_t numberOf(const Value &value, size_t index) const {
    const tawa_arg_info_t &wanted = state->parameters[index];
    if (value.kind == Value::Kind::tensor)
      refuse(TAWA_E_INVALID_ARGUMENT, index, "is a tensor, the kernel takes a number");
    bool isReal = value.kind == Value::Kind::number, wantsReal = wanted.dtype >= TAWA_F8E4M3;
    if (isReal && !wantsReal)
      refuse(TAWA_E_INVALID_ARGUMENT, index, "is a fraction, the kernel takes an integer");
    double real = isReal ? value.real : static_cast<double>(value.whole);
    tawa_arg_t arg = wantsReal ? tawa_number(wanted.dtype, real) : tawa_integer(wanted.dtype, value.whole);
    arg.kind = wanted.kind;
    return arg;
  }

  Binding bindingFor(Args args, Grid grid) const {
    Key key = keyOf(args, grid);
    {
      std::lock_guard<std::mutex> lock(state->mutex);
      if (auto found = state->bindings.find(key); found != state->bindings.end())
        return found->second;
    }
    tawa_launch_options_t options = TAWA_LAUNCH_OPTIONS_INIT;
    std::copy(grid.begin(), grid.end(), options.grid);
    Binding made = kernel().bind(args, options);
    std::lock_guard<std::mutex> lock(state->mutex);
    if (state->bindings.size() >= maxBindings)
      state->bindings.clear();
    state->bindings.emplace(std::move(key), made);
    return made;
  }

  /// The thread is part of it, since launches of one binding wait for one another.
  static Key keyOf(Args args, Grid grid) {
    Key key(grid.begin(), grid.end());
    key.push_back(static_cast<int64_t>(std::hash<std::thread::id>()(std::this_thread::get_id())));
    for (const tawa_arg_t &arg : args) {
      int64_t real = 0;
      std::memcpy(&real, &arg.number, sizeof real);
      key.insert(key.end(), {arg.kind, arg.dtype, arg.rank, arg.integer, real});
      key.insert(key.end(), arg.shape, arg.shape + arg.rank);
      key.insert(key.end(), arg.strides, arg.strides + arg.rank);
    }
    return key;
  }

  std::shared_ptr<State> state;
};

} // namespace tawa
