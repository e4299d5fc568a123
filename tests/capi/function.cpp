// function.hpp and tvm_ffi.hpp: a kernel called with DLPack tensors of the host on the emulator: results, refusals,
// lifetimes, threads; and the same through tvm-ffi's C ABI, with a stand-in for its library.
#include <tawa/tvm_ffi.hpp>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <iterator>

static std::atomic<int> failures = 0;

static void check(bool condition, const std::string &what) {
  if (condition)
    return;
  std::fprintf(stderr, "failed: %s\n", what.c_str());
  ++failures;
}

/// The call throws this status, with a text that holds all of `words`.
template <typename Call>
static void refused(Call call, tawa_status_t status, std::initializer_list<const char *> words) {
  try {
    call();
    check(false, std::string("not refused: ") + *words.begin());
  } catch (const tawa::Error &error) {
    check(error.status() == status, std::string(tawa_status_name(error.status())) + ": " + error.what());
    for (const char *word : words)
      check(std::strstr(error.what(), word) != nullptr, std::string("no '") + word + "' in: " + error.what());
  }
}

static std::string scaleText; ///< tests/kernels/scale.mlir

/// Structs as another framework's copy of dlpack.h declares them.
namespace theirs {
struct Device {
  int32_t type, id;
};
struct DataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DLTensor {
  void *data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(DLManagedTensor *self);
};
} // namespace theirs

/// A tensor of floats in memory of the host, with a deleter that counts.
struct HostTensor {
  explicit HostTensor(int64_t size, float first = 0) : values(size), shape(size) {
    for (int64_t i = 0; i < size; ++i)
      values[i] = first + static_cast<float>(i);
    managed = {{values.data(), {1, 0}, 1, {2, 32, 1}, &shape, nullptr, 0}, &deleted, [](theirs::DLManagedTensor *self) {
                 ++*static_cast<int *>(self->manager_ctx);
               }};
  }
  HostTensor(const HostTensor &) = delete;

  bool isScaled(const HostTensor &from, float by) const {
    for (size_t i = 0; i < values.size(); ++i)
      if (values[i] != from.values[i] * by)
        return false;
    return true;
  }

  std::vector<float> values;
  int64_t shape;
  int deleted = 0;
  theirs::DLManagedTensor managed;
};

static tawa::Runtime emulator() {
  tawa_runtime_options_t options = TAWA_RUNTIME_OPTIONS_INIT;
  options.device = "emulator";
  return tawa::Runtime::create(options);
}

static void tensorsOfEveryFormAreTaken(const tawa::Function &scale) {
  HostTensor x(100), y(100);
  scale(&x.managed, &y.managed, 100, 2.0);
  check(y.isScaled(x, 2), "managed tensors");
  scale(&x.managed.dl_tensor, &y.managed.dl_tensor, int64_t(100), 3.0F);
  check(y.isScaled(x, 3), "plain tensors");
  tawa_dlmanaged_versioned_t versioned = {1, 0, nullptr, nullptr, 0, {}};
  std::memcpy(&versioned.dl_tensor, &x.managed.dl_tensor, sizeof versioned.dl_tensor);
  scale(&versioned, &y.managed, 100, 4);
  check(y.isScaled(x, 4), "versioned tensors, and an integer for a float");
  scale.on(nullptr, {1})(&x.managed, &y.managed, 100, 5.0);
  check(y.values[31] == x.values[31] * 5 && y.values[32] == x.values[32] * 4, "a grid of one CTA");
  HostTensor z(64);
  x.managed.dl_tensor.byte_offset = 8;
  scale(&x.managed, &z.managed, 64, 2.0);
  check(z.values[0] == 4 && z.values[63] == 130, "a byte offset");
  scale(&z.managed, &z.managed, 64, 2.0);
  check(z.values[0] == 8, "one tensor as both arguments");
  check(x.deleted + y.deleted + z.deleted == 0, "no deleter is called");
}

static void viewsOfOneMemoryMayOverlap(const tawa::Function &scale) {
  HostTensor x(96, 1), y(64);
  x.shape = 64;
  y.managed.dl_tensor.data = x.values.data() + 32;
  scale(&x.managed, &y.managed, 32, 1.0);
  check(x.values[32] == 1 && x.values[63] == 32 && x.values[64] == 65, "a copy within one memory");
}

static void changedShapesAndAddressesAreSeen(const tawa::Function &scale) {
  for (int64_t size : {1, 64, 65, 1000, 64})
    for (float by : {1.5F, 2.0F}) {
      HostTensor x(size, 3), y(size);
      scale(&x.managed, &y.managed, size, by);
      check(y.isScaled(x, by), "size " + std::to_string(size));
    }
}

static void wrongCallsAreRefused(const tawa::Function &scale) {
  HostTensor x(64), y(64);
  auto *in = &x.managed, *out = &y.managed;
  refused([&] { scale(in, out, 64); }, TAWA_E_INVALID_ARGUMENT, {"scale() takes 4 arguments, 3 were given"});
  refused([&] { scale(in, 1, 64, 2.0); }, TAWA_E_INVALID_ARGUMENT, {"'y' (2 of 4)", "is a number"});
  refused([&] { scale(in, out, in, 2.0); }, TAWA_E_INVALID_ARGUMENT, {"'n' (3 of 4)", "is a tensor"});
  refused([&] { scale(in, out, 64.0, 2.0); }, TAWA_E_INVALID_ARGUMENT, {"'n' (3 of 4)", "fraction"});
  refused([&] { scale(in, out, int64_t(1) << 40, 2.0); }, TAWA_E_INVALID_ARGUMENT, {"n"});
  theirs::DLManagedTensor *none = nullptr;
  refused([&] { scale(none, out, 64, 2.0); }, TAWA_E_INVALID_ARGUMENT, {"'x' (1 of 4)", "is NULL"});
  HostTensor other(64);
  auto &tensor = other.managed.dl_tensor;
  tensor.device = {2, 1};
  refused([&] { scale(&tensor, out, 64, 2.0); }, TAWA_E_INVALID_ARGUMENT, {"'x'", "is on cuda:1", "the emulator"});
  tensor.device = {10, 0};
  refused([&] { scale(&tensor, out, 64, 2.0); }, TAWA_E_INVALID_ARGUMENT, {"DLPack device 10"});
  tensor.device = {1, 0};
  tensor.dtype = {2, 16, 1};
  refused([&] { scale(&tensor, out, 64, 2.0); }, TAWA_E_SHAPE_MISMATCH, {"'x'", "f16"});
  tensor.dtype = {5, 64, 1};
  refused([&] { scale(&tensor, out, 64, 2.0); }, TAWA_E_UNSUPPORTED, {"'x'", "code 5, 64 bits"});
  tensor.dtype = {2, 32, 1};
  tensor.ndim = 9;
  refused([&] { scale(&tensor, out, 64, 2.0); }, TAWA_E_INVALID_ARGUMENT, {"'x'", "9 dimensions"});
  scale(in, out, 64, 2.0);
  check(y.isScaled(x, 2), "right calls go on");
}

static void factsOfAKernelAreKept(const tawa::Runtime &runtime) {
  std::vector<tawa_arg_t> facts = {tawa::tensor(TAWA_F32, nullptr, {64}), tawa::tensor(TAWA_F32, nullptr, {64}),
                                   tawa::constant(64), tawa::scalar(0.0F)};
  tawa::Function scale(runtime, runtime.compile(scaleText, facts));
  HostTensor x(64), y(64), longer(65);
  scale(&x.managed, &y.managed, 64, 2.0);
  check(y.isScaled(x, 2), "a kernel with facts");
  refused([&] { scale(&longer.managed, &y.managed, 64, 2.0); }, TAWA_E_SHAPE_MISMATCH, {"x", "65"});
  refused([&] { scale(&x.managed, &y.managed, 63, 2.0); }, TAWA_E_INVALID_ARGUMENT, {"'n'", "64"});
}

/// An access beyond a tensor's end is the emulator's error, with memory that was never registered as well.
static void boundsAreThoseOfTheTensor(const tawa::Function &scale) {
  HostTensor x(64), y(64);
  refused([&] { scale(&x.managed, &y.managed, 65, 2.0); }, TAWA_E_EMULATOR, {"x"});
}

static void aFunctionOutlivesItsParts() {
  std::optional<tawa::Function> function;
  {
    tawa::Runtime runtime = emulator();
    function.emplace(runtime, scaleText);
  }
  tawa::Function copy = *function;
  function.reset();
  HostTensor x(64), y(64);
  copy(&x.managed, &y.managed, 64, 2.0);
  check(y.isScaled(x, 2) && copy.name() == "scale", "kept by the copy");
}

static void threadsShareAFunction(const tawa::Function &scale) {
  HostTensor shared(1024, 1);
  std::atomic<int> waiting = 2;
  auto work = [&](float by) {
    HostTensor y(1024);
    for (--waiting; waiting > 0;) // both begin at once
      std::this_thread::yield();
    for (int round = 0; round < 300; ++round) {
      scale(&shared.managed, &y.managed, 1024, by + static_cast<float>(round));
      check(y.isScaled(shared, by + static_cast<float>(round)), "a thread's result");
    }
  };
  std::thread first(work, 2.0F), second(work, 100.0F);
  first.join();
  second.join();
}

static void memoryOfTheRuntimeIsTaken(const tawa::Runtime &runtime, const tawa::Function &scale) {
  tawa::Memory memory(runtime, 64 * sizeof(float));
  HostTensor x(64), y(64);
  memory.copyIn(x.values.data());
  x.managed.dl_tensor.data = memory.data();
  scale(&x.managed, &y.managed, 64, 2.0);
  check(y.values[63] == 126, "memory that the runtime allocated");
}

// ---- tvm-ffi ------------------------------------------------------------------------------------------------------

namespace ffi = tawa::tvm_ffi;

/// What libtvm_ffi.so would do.
struct StandIn {
  struct Object {
    int references = 1;
    void *self = nullptr;
    ffi::SafeCall call = nullptr;
    void (*deleter)(void *) = nullptr;
  };
  static inline std::map<std::string, Object *> globals;
  static inline std::string kind, message;

  static int create(void *self, ffi::SafeCall call, void (*deleter)(void *), void **object) {
    *object = new Object{1, self, call, deleter};
    return 0;
  }
  static int decRef(void *object) {
    auto *counted = static_cast<Object *>(object);
    if (--counted->references == 0) {
      counted->deleter(counted->self);
      delete counted;
    }
    return 0;
  }
  static int setGlobal(const ffi::Bytes *name, void *object, int override) {
    Object *&place = globals[std::string(name->data, name->size)];
    if (place && !override)
      return -1;
    if (place)
      decRef(place);
    place = static_cast<Object *>(object);
    ++place->references;
    return 0;
  }
  static void raise(const char *errorKind, const char *errorMessage) { kind = errorKind, message = errorMessage; }
  static ffi::Library library() {
    ffi::Library library;
    library.functionCreate = create;
    library.functionSetGlobal = setGlobal;
    library.objectDecRef = decRef;
    library.errorSetRaised = raise;
    return library;
  }
};

static ffi::Any any(int32_t type, int64_t whole) {
  ffi::Any made = {type, 0, {whole}};
  return made;
}
static ffi::Any any(double number) {
  ffi::Any made = {ffi::real, 0, {0}};
  made.number = number;
  return made;
}
static ffi::Any any(int32_t type, void *pointer) {
  ffi::Any made = {type, 0, {0}};
  made.pointer = pointer;
  return made;
}

static void tvmFfiCalls(const tawa::Runtime &runtime) {
  struct {
    ffi::ObjectHeader header;
    theirs::DLTensor tensor;
  } object = {};
  HostTensor x(64), y(64);
  object.tensor = y.managed.dl_tensor;
  StandIn::library().registerGlobal("test.scale", tawa::Function(runtime, scaleText));
  StandIn::Object *function = StandIn::globals.at("test.scale");
  check(function->references == 1, "only the table holds the function");
  ffi::Any args[] = {any(ffi::tensorPointer, &x.managed.dl_tensor), any(ffi::tensorObject, &object),
                     any(ffi::integer, 64), any(2.0)};
  ffi::Any result = any(ffi::integer, 1);
  check(function->call(function->self, args, 4, &result) == 0, StandIn::message);
  check(result.typeIndex == ffi::none && y.isScaled(x, 2), "a call through tvm-ffi");
  check(function->call(function->self, args, 3, &result) == -1 && StandIn::kind == "ValueError" &&
            StandIn::message.find("scale() takes 4 arguments, 3 were given") != std::string::npos,
        StandIn::message);
  args[1] = any(65, nullptr);
  check(function->call(function->self, args, 4, &result) == -1 &&
            StandIn::message.find("argument 2 is of tvm-ffi's type 65") != std::string::npos,
        StandIn::message);
  args[1] = any(ffi::tensorObject, &object), args[2] = any(ffi::integer, 65);
  check(function->call(function->self, args, 4, &result) == -1 && StandIn::kind == "RuntimeError", StandIn::kind);
  StandIn::decRef(function);
  StandIn::globals.clear();
}

static void tvmFfiRefuses(const tawa::Runtime &runtime) {
  tawa::Function scale(runtime, scaleText);
  StandIn::library().registerGlobal("test.twice", scale);
  refused([&] { StandIn::library().registerGlobal("test.twice", scale); }, TAWA_E_INVALID_ARGUMENT, {"test.twice"});
  StandIn::library().registerGlobal("test.twice", scale, true);
  StandIn::decRef(StandIn::globals.at("test.twice"));
  StandIn::globals.clear();
  refused([] { ffi::Library::loaded(); }, TAWA_E_UNSUPPORTED, {"libtvm_ffi.so is not loaded"});
  refused([] { ffi::Library::loaded("libtawa.so.0"); }, TAWA_E_UNSUPPORTED, {"has no TVMFFIFunctionCreate()"});
}

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : "");
  scaleText.assign(std::istreambuf_iterator<char>(file), {});
  tawa::Runtime runtime = emulator();
  tawa::Function scale(runtime, scaleText);
  tensorsOfEveryFormAreTaken(scale);
  viewsOfOneMemoryMayOverlap(scale);
  changedShapesAndAddressesAreSeen(scale);
  wrongCallsAreRefused(scale);
  factsOfAKernelAreKept(runtime);
  boundsAreThoseOfTheTensor(scale);
  aFunctionOutlivesItsParts();
  threadsShareAFunction(scale);
  memoryOfTheRuntimeIsTaken(runtime, scale);
  tvmFfiCalls(runtime);
  tvmFfiRefuses(runtime);
  return failures != 0;
}
