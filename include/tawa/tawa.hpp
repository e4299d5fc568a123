// tawa.hpp: the C interface of tawa.h as C++17 objects that free themselves and throw. Header only; every call is one
// line to its C function, whose comment in tawa.h is the documentation.
#pragma once

#include <tawa/tawa.h>

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

/// Arguments, for compile() and launch(). tensor(TAWA_F16, memory.data(), {M, K}) is contiguous unless `strides` says
/// otherwise, in elements and one per dimension; an empty shape is a bare pointer.
inline tawa_arg_t tensor(tawa_dtype_t dtype, void *data, const std::vector<int64_t> &shape,
                         const std::vector<int64_t> &strides = {}) {
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

/// A loaded kernel. Copies share it.
class Kernel : public detail::Shared<tawa_kernel_t, tawa_kernel_retain, tawa_kernel_release> {
public:
  using Shared::Shared;

  tawa_kernel_info_t info() const {
    tawa_kernel_info_t facts = TAWA_KERNEL_INFO_INIT;
    detail::check(tawa_kernel_info(get(), &facts), nullptr);
    return facts;
  }

  void launch(const std::vector<tawa_arg_t> &args, void *stream = nullptr,
              const tawa_launch_options_t &options = TAWA_LAUNCH_OPTIONS_INIT) const {
    tawa_status_t status = tawa_launch(get(), args.data(), static_cast<uint32_t>(args.size()), stream, &options);
    if (status != TAWA_OK)
      throw Error(status, std::string(tawa_status_name(status)) + ": " + tawa_last_launch_error());
  }

  void *function() const {
    void *found = nullptr;
    detail::checked([&](tawa_error_t *error) { return tawa_kernel_function(get(), &found, error); });
    return found;
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
    tawa_device_info_t info = TAWA_DEVICE_INFO_INIT;
    detail::check(tawa_runtime_device_info(get(), &info), nullptr);
    return info;
  }

  /// Without a `config` the policy decides: what a search found for such shapes, where there was one. A config names
  /// what is not to have its default; "" is all defaults.
  Kernel compile(std::string_view text, const std::vector<tawa_arg_t> &args,
                 const std::optional<std::string> &config = std::nullopt, const std::string &name = "<kernel>",
                 tawa_policy_t policy = TAWA_POLICY_DEFAULT) const {
    tawa_compile_request_t request = makeRequest(text, args, config, name);
    request.policy = policy;
    tawa_kernel_t kernel = nullptr;
    detail::checked([&](tawa_error_t *error) { return tawa_compile(get(), &request, &kernel, error); });
    return Kernel(kernel);
  }

  std::string emit(tawa_stage_t stage, std::string_view text, const std::vector<tawa_arg_t> &args,
                   const std::optional<std::string> &config = std::nullopt,
                   const std::string &name = "<kernel>") const {
    tawa_compile_request_t request = makeRequest(text, args, config, name);
    char *data = nullptr;
    size_t size = 0;
    detail::checked([&](tawa_error_t *error) { return tawa_emit(get(), &request, stage, &data, &size, error); });
    std::string bytes(data, size);
    tawa_free(data);
    return bytes;
  }

  void synchronize(void *stream = nullptr) const {
    detail::checked([&](tawa_error_t *error) { return tawa_synchronize(get(), stream, error); });
  }

private:
  static tawa_compile_request_t makeRequest(std::string_view text, const std::vector<tawa_arg_t> &args,
                                            const std::optional<std::string> &config, const std::string &name) {
    tawa_compile_request_t request = TAWA_COMPILE_REQUEST_INIT;
    request.text = text.data() ? text.data() : "";
    request.text_len = text.size();
    request.name = name.c_str();
    request.args = args.data();
    request.num_args = static_cast<uint32_t>(args.size());
    request.config = config ? config->c_str() : nullptr;
    return request;
  }
};

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
