// Memory of a runtime's device, so that one C program runs on a GPU and on the emulator.
#include "capi/boundary/Guard.h"

using namespace tawa;
using namespace tawa::capi;

static uint64_t addressOf(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

/// Runs body(device) after the checks that all entries here share.
template <typename Body> static tawa_status_t onDevice(tawa_runtime_t runtime, tawa_error_t *error, Body body) {
  return guard(error, on(runtime, [&](tawa_runtime &self) -> Status { return body(*self.device); }));
}

extern "C" {

tawa_status_t tawa_memory_allocate(tawa_runtime_t runtime, size_t size, void **address, tawa_error_t *error) {
  clear(address);
  return onDevice(runtime, error, [&](Device &device) -> Status {
    if (!address)
      return nullArgument("address");
    Result<uint64_t> allocated = device.allocate(size);
    if (!allocated)
      return allocated.status();
    *address = pointerTo(*allocated);
    return Status::ok();
  });
}

tawa_status_t tawa_memory_free(tawa_runtime_t runtime, void *address, tawa_error_t *error) {
  return onDevice(runtime, error,
                  [&](Device &device) { return address ? device.free(addressOf(address)) : Status::ok(); });
}

tawa_status_t tawa_memory_register(tawa_runtime_t runtime, void *address, size_t size, tawa_error_t *error) {
  return onDevice(runtime, error, [&](Device &device) { return device.registerHost(addressOf(address), size); });
}

tawa_status_t tawa_memory_unregister(tawa_runtime_t runtime, void *address, tawa_error_t *error) {
  return onDevice(runtime, error, [&](Device &device) { return device.unregisterHost(addressOf(address)); });
}

tawa_status_t tawa_memory_copy_in(tawa_runtime_t runtime, void *device, const void *host, size_t size,
                                  tawa_error_t *error) {
  return onDevice(runtime, error, [&](Device &to) {
    return host || size == 0 ? to.copyTo(addressOf(device), host, size) : nullArgument("host");
  });
}

tawa_status_t tawa_memory_copy_out(tawa_runtime_t runtime, void *host, const void *device, size_t size,
                                   tawa_error_t *error) {
  return onDevice(runtime, error, [&](Device &from) {
    return host || size == 0 ? from.copyFrom(host, addressOf(device), size) : nullArgument("host");
  });
}

tawa_status_t tawa_memory_fill(tawa_runtime_t runtime, void *device, uint8_t value, size_t size, tawa_error_t *error) {
  return onDevice(runtime, error, [&](Device &where) { return where.fill(addressOf(device), value, size); });
}

tawa_status_t tawa_runtime_check(tawa_runtime_t runtime, tawa_error_t *error) {
  return onDevice(runtime, error, [](Device &device) { return device.check(); });
}

tawa_status_t tawa_synchronize(tawa_runtime_t runtime, void *stream, tawa_error_t *error) {
  return onDevice(runtime, error, [&](Device &device) { return device.synchronize(stream); });
}

} // extern "C"
