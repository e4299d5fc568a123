// tvm_ffi.hpp: a tawa::Function as a function of tvm-ffi (apache-tvm-ffi 0.1), for frameworks that share functions over
// its C ABI. Header only; needs neither tvm-ffi's headers nor its library to build: the parts of the ABI that are used
// stand here, and are compared with tvm-ffi's header where that is found.
//
//   auto ffi = tawa::tvm_ffi::Library::loaded();             // of a process that has loaded libtvm_ffi.so
//   ffi.registerGlobal("mylib.scale", scale);                // Python: tvm_ffi.get_global_func("mylib.scale")(x, y, n, 2.0)
//
// A call takes DLTensors, tensor objects of tvm-ffi, integers, booleans and floats, and returns nothing. On a GPU it
// launches on the stream of tvm-ffi's environment for the kernel's device. Errors are raised as tvm-ffi's, with Tawa's
// text.
#pragma once

#include <tawa/function.hpp>

#include <dlfcn.h>

#if __has_include(<tvm/ffi/c_api.h>)
#include <tvm/ffi/c_api.h>
#endif

namespace tawa::tvm_ffi {

/// What a value is; the numbers are tvm-ffi's.
enum TypeIndex : int32_t { none = 0, integer = 1, boolean = 2, real = 3, tensorPointer = 7, tensorObject = 70 };

/// The layout of TVMFFIAny.
struct Any {
  int32_t typeIndex;
  uint32_t padding;
  union {
    int64_t whole;
    double number;
    void *pointer;
  };
};

/// The layout of TVMFFIObject, which a DLTensor follows in a tensor object.
struct ObjectHeader {
  uint64_t references;
  int32_t typeIndex;
  uint32_t padding;
  void (*deleter)(void *object, int flags);
};

/// The layout of TVMFFIByteArray.
struct Bytes {
  const char *data;
  size_t size;
};

/// TVMFFISafeCallType: 0, or -1 with an error raised.
using SafeCall = int (*)(void *self, const Any *args, int32_t count, Any *result);

static_assert(sizeof(Any) == 16 && sizeof(ObjectHeader) == 24 && sizeof(Bytes) == 16, "tvm-ffi's ABI");
#if __has_include(<tvm/ffi/c_api.h>)
static_assert(sizeof(TVMFFIAny) == sizeof(Any) && sizeof(TVMFFIObject) == sizeof(ObjectHeader) &&
                  offsetof(TVMFFIAny, v_int64) == offsetof(Any, whole) && int(kTVMFFITensor) == int(tensorObject) &&
                  int(kTVMFFIDLTensorPtr) == int(tensorPointer) && int(kTVMFFIFloat) == int(real),
              "tvm-ffi's header and this one describe the same ABI");
#endif

/// The functions of libtvm_ffi.so that are needed.
class Library {
public:
  int (*functionCreate)(void *self, SafeCall call, void (*deleter)(void *self), void **object) = nullptr;
  int (*functionSetGlobal)(const Bytes *name, void *object, int override) = nullptr;
  int (*objectDecRef)(void *object) = nullptr;
  void (*errorSetRaised)(const char *kind, const char *message) = nullptr;
  void *(*envGetStream)(int32_t deviceType, int32_t deviceId) = nullptr;

  /// Those of the library that the process has loaded. Throws where there is none.
  static Library loaded(const char *file = "libtvm_ffi.so") {
    void *handle = dlopen(file, RTLD_NOW | RTLD_NOLOAD);
    if (!handle)
      throw Error(TAWA_E_UNSUPPORTED, std::string(file) + " is not loaded in this process");
    Library found;
    find(handle, found.functionCreate, "TVMFFIFunctionCreate");
    find(handle, found.functionSetGlobal, "TVMFFIFunctionSetGlobal");
    find(handle, found.objectDecRef, "TVMFFIObjectDecRef");
    find(handle, found.errorSetRaised, "TVMFFIErrorSetRaisedFromCStr");
    find(handle, found.envGetStream, "TVMFFIEnvGetStream");
    return found;
  }

  /// A function object of tvm-ffi, which the caller owns (TVMFFIObjectDecRef). It keeps the Function.
  void *makeObject(const Function &function) const {
    auto held = std::make_unique<Held>(Held{function, errorSetRaised, envGetStream});
    void *object = nullptr;
    if (functionCreate(held.get(), call, [](void *self) { delete static_cast<Held *>(self); }, &object) != 0)
      throw Error(TAWA_E_INTERNAL, "TVMFFIFunctionCreate() failed");
    held.release();
    return object;
  }

  /// Registers it in tvm-ffi's table of global functions, which keeps it until the process ends or it is replaced.
  void registerGlobal(const std::string &name, const Function &function, bool override = false) const {
    void *object = makeObject(function);
    Bytes bytes = {name.data(), name.size()};
    int failed = functionSetGlobal(&bytes, object, override);
    objectDecRef(object);
    if (failed)
      throw Error(TAWA_E_INVALID_ARGUMENT,
                  "tvm-ffi refused to register '" + name + "'; has it such a function already?");
  }

private:
  struct Held {
    Function function;
    void (*raise)(const char *kind, const char *message);
    void *(*stream)(int32_t deviceType, int32_t deviceId);
  };

  template <typename F> static void find(void *handle, F *&function, const char *name) {
    function = reinterpret_cast<F *>(dlsym(handle, name));
    if (!function)
      throw Error(TAWA_E_UNSUPPORTED, std::string("tvm-ffi's library has no ") + name + "()");
  }

  static Value valueOf(const Any &any, int32_t index) {
    switch (any.typeIndex) {
    case integer:
      return any.whole;
    case boolean:
      return any.whole != 0;
    case real:
      return any.number;
    case tensorPointer:
      return static_cast<const tawa_dltensor_t *>(any.pointer);
    case tensorObject:
      return reinterpret_cast<const tawa_dltensor_t *>(static_cast<const ObjectHeader *>(any.pointer) + 1);
    default:
      throw Error(TAWA_E_INVALID_ARGUMENT, "argument " + std::to_string(index + 1) + " is of tvm-ffi's type " +
                                               std::to_string(any.typeIndex) + ", kernels take tensors and numbers");
    }
  }

  static const char *kindOf(tawa_status_t status) {
    if (status == TAWA_E_INVALID_ARGUMENT || status == TAWA_E_SHAPE_MISMATCH)
      return "ValueError";
    return status == TAWA_E_OUT_OF_MEMORY ? "MemoryError" : "RuntimeError";
  }

  static int call(void *self, const Any *args, int32_t count, Any *result) {
    auto *held = static_cast<Held *>(self);
    const Function &function = held->function;
    try {
      std::vector<Value> values;
      for (int32_t i = 0; i < count; ++i)
        values.push_back(valueOf(args[i], i));
      bool isGpu = function.deviceType() != 1;
      void *stream = isGpu ? held->stream(function.deviceType(), function.deviceId()) : nullptr;
      function.call(values, stream);
      result->typeIndex = none;
      return 0;
    } catch (const Error &error) {
      held->raise(kindOf(error.status()), error.what());
    } catch (const std::exception &error) {
      held->raise("RuntimeError", error.what());
    }
    return -1;
  }
};

} // namespace tawa::tvm_ffi
