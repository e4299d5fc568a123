// The model of circular buffers, the network, semaphores and the device's memory.
#include "tests/planner/metalium/model/Model.h"

#include "api/dataflow/dataflow_api.h"

#include <tt-metalium/tensor_accessor_args.hpp>

#include <cstring>

namespace metalium_model {

namespace {

// Addresses on the network: a kind in the upper two bits, and below it
//   a core       x, y of 6 bits, a local address
//   a rectangle  x, y of the first and the last core, an address of the sender's local memory
//   memory       a global address
constexpr uint64_t kCore = 1, kRectangle = 2, kMemory = 3;
constexpr size_t kDeviceOrigin = 18; ///< Of the device's coordinates, so that they are none of the logical ones.

uint64_t kindOf(uint64_t address) { return address >> 62; }
uint32_t localPart(uint64_t address) { return static_cast<uint32_t>(address); }
size_t field(uint64_t address, int number) { return address >> (32 + 6 * number) & 63; }

/// Buffers in the device's memory, by their first address.
std::map<uint64_t, tt::tt_metal::distributed::MeshBuffer *> &deviceMemory() {
  static std::map<uint64_t, tt::tt_metal::distributed::MeshBuffer *> memory;
  return memory;
}

char *inDevice(uint64_t address, uint32_t bytes) {
  auto found = deviceMemory().upper_bound(address);
  require(found != deviceMemory().begin(), "no such address in the device's memory");
  auto &[start, buffer] = *--found;
  require(address - start + bytes <= buffer->bytes.size(), "beyond the end of a tensor");
  return buffer->bytes.data() + (address - start);
}

Core &coreAt(size_t x, size_t y) {
  for (Core *core : coresOfRun())
    if (core->x + kDeviceOrigin == x && core->y + kDeviceOrigin == y)
      return *core;
  fail("no core at " + std::to_string(x) + ", " + std::to_string(y) + " of the device");
}

/// Addresses of a core's own memory mean the same place in every core.
uint32_t offsetOf(uint32_t local) {
  require(local >= self().core->base && local - self().core->base < kLocalBytes, "no local address");
  return local - self().core->base;
}

void copyTo(Core &core, uint32_t offset, uint32_t from, uint32_t bytes) {
  std::lock_guard lock(core.mutex);
  std::memcpy(localMemory(core.base + offset), localMemory(from), bytes);
  announce(core);
}

void send(const PendingWrite &write) {
  if (kindOf(write.to) == kMemory) {
    std::memcpy(inDevice(write.to & ~(kMemory << 62), write.bytes), localMemory(write.from), write.bytes);
    return;
  }
  uint32_t offset = offsetOf(localPart(write.to));
  if (kindOf(write.to) == kCore)
    return copyTo(coreAt(field(write.to, 0), field(write.to, 1)), offset, write.from, write.bytes);
  for (size_t x = field(write.to, 0); x <= field(write.to, 2); ++x)
    for (size_t y = field(write.to, 1); y <= field(write.to, 3); ++y)
      if (Core &core = coreAt(x, y); &core != self().core)
        copyTo(core, offset, write.from, write.bytes);
}

void checkReceivers(uint64_t to, uint32_t receivers) {
  require(kindOf(to) == kRectangle, "a multicast to no rectangle");
  size_t count = (field(to, 2) - field(to, 0) + 1) * (field(to, 3) - field(to, 1) + 1);
  bool within = false;
  for (size_t x = field(to, 0); x <= field(to, 2); ++x)
    for (size_t y = field(to, 1); y <= field(to, 3); ++y)
      within |= &coreAt(x, y) == self().core;
  require(receivers == count - within, "a multicast to " + std::to_string(receivers) + " cores");
}

void claim(int &owner, const char *what) {
  require(owner < 0 || owner == self().number, std::string("a second ") + what + " of a circular buffer");
  owner = self().number;
}

} // namespace

void sendWrites() {
  for (const PendingWrite &write : self().writes)
    send(write);
  self().writes.clear();
}

} // namespace metalium_model

using namespace metalium_model;

uint32_t get_arg_word(int index) {
  require(index < static_cast<int>(self().arguments.size()), "no such argument");
  return self().arguments[index];
}
uint32_t get_compile_time_arg_val(int index) {
  require(index < static_cast<int>(self().compileArguments().size()), "no such argument of compilation");
  return self().compileArguments()[index];
}

void cb_reserve_back(uint32_t number, uint32_t pages) {
  CircularBuffer &buffer = bufferOf(number);
  claim(buffer.producer, "producer");
  require(pages <= buffer.pages && buffer.pushed % buffer.pages + pages <= buffer.pages, "reserved pages wrap around");
  waitUntil(std::to_string(pages) + " free pages of buffer " + std::to_string(number),
            [&] { return buffer.pages - (buffer.pushed - buffer.popped) >= pages; });
  buffer.reserved = std::max(buffer.reserved, pages);
}

void cb_push_back(uint32_t number, uint32_t pages) {
  CircularBuffer &buffer = bufferOf(number);
  std::lock_guard lock(self().core->mutex);
  require(pages <= buffer.reserved, "pages are pushed that were not reserved");
  buffer.reserved -= pages;
  buffer.pushed += pages;
  announce(*self().core);
}

void cb_wait_front(uint32_t number, uint32_t pages) {
  CircularBuffer &buffer = bufferOf(number);
  claim(buffer.consumer, "consumer");
  require(buffer.popped % buffer.pages + pages <= buffer.pages, "pages that are waited for wrap around");
  waitUntil(std::to_string(pages) + " pages of buffer " + std::to_string(number),
            [&] { return buffer.pushed - buffer.popped >= pages; });
  buffer.waited = std::max(buffer.waited, pages);
}

void cb_pop_front(uint32_t number, uint32_t pages) {
  CircularBuffer &buffer = bufferOf(number);
  std::lock_guard lock(self().core->mutex);
  require(pages <= buffer.waited, "pages are popped that were not waited for");
  buffer.waited -= pages;
  buffer.popped += pages;
  announce(*self().core);
}

uint32_t get_write_ptr(uint32_t number) { return self().core->base + offsetAtBack(bufferOf(number)); }
uint32_t get_read_ptr(uint32_t number) { return self().core->base + offsetAtFront(bufferOf(number)); }

uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address) {
  return kCore << 62 | uint64_t(x) << 32 | uint64_t(y) << 38 | address;
}
uint64_t get_noc_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1, uint32_t address) {
  require(x0 <= x1 && y0 <= y1, "a rectangle from its last core to its first");
  return kRectangle << 62 | uint64_t(x0) << 32 | uint64_t(y0) << 38 | uint64_t(x1) << 44 | uint64_t(y1) << 50 | address;
}

void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes) {
  offsetOf(to);
  self().reads.push_back({from, to, bytes});
}
void noc_async_read_barrier() {
  for (const PendingRead &read : self().reads)
    std::memcpy(localMemory(read.to), inDevice(read.from & ~(kMemory << 62), read.bytes), read.bytes);
  self().reads.clear();
}
void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes) { self().writes.push_back({from, to, bytes}); }
void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers, bool) {
  checkReceivers(to, receivers);
  self().writes.push_back({from, to, bytes});
}
void noc_async_write_barrier() { sendWrites(); }
void noc_async_writes_flushed() { sendWrites(); }
void noc_async_atomic_barrier() {}

uint32_t get_semaphore(uint32_t number) {
  require(number < self().core->semaphores.size(), "no such semaphore");
  return self().core->base + self().core->semaphores[number];
}
void noc_semaphore_set(volatile uint32_t *semaphore, uint32_t value) {
  std::lock_guard lock(self().core->mutex);
  *semaphore = value;
}
void noc_semaphore_wait_min(volatile uint32_t *semaphore, uint32_t value) {
  waitUntil("a semaphore to reach " + std::to_string(value), [&] { return *semaphore >= value; });
}
void noc_semaphore_inc(uint64_t to, uint32_t increment) {
  require(kindOf(to) == kCore, "an increment of no core's memory");
  Core &core = coreAt(field(to, 0), field(to, 1));
  std::lock_guard lock(core.mutex);
  *reinterpret_cast<uint32_t *>(localMemory(core.base + offsetOf(localPart(to)))) += increment;
  announce(core);
}
void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t receivers, bool) {
  checkReceivers(to, receivers);
  self().writes.push_back({from, to, sizeof(uint32_t)});
}

TensorAccessor::TensorAccessor(uint32_t offset, uint32_t address, uint32_t page_size)
    : page_size(page_size), address(address) {
  auto found = deviceMemory().find(address);
  require(found != deviceMemory().end(), "a tensor at no buffer's address");
  require(found->second->page_size == page_size, "pages of another size than the buffer's");
  require(get_compile_time_arg_val(static_cast<int>(offset)) == address, "a layout of another tensor");
}
uint64_t TensorAccessor::get_noc_addr(uint32_t page) const {
  return kMemory << 62 | (address + uint64_t(page) * page_size);
}

namespace tt::tt_metal {

distributed::MeshBuffer::MeshBuffer(uint32_t pages, uint32_t page_size)
    : page_size(page_size), bytes(size_t(pages) * page_size, '\xff') {
  static uint32_t next = 0x10000;
  start = next;
  next += pages * page_size + 0x1000;
  deviceMemory()[start] = this;
}
CoreCoord distributed::MeshDevice::worker_core_from_logical_core(const CoreCoord &core) const {
  return {core.x + kDeviceOrigin, core.y + kDeviceOrigin};
}
void TensorAccessorArgs::append_to(std::vector<uint32_t> &arguments) const { arguments.push_back(buffer.address()); }

Program CreateProgram() { return {}; }
CBHandle CreateCircularBuffer(Program &program, const CoreRange &, const CircularBufferConfig &config) {
  program.buffers.push_back(config);
  return program.buffers.size() - 1;
}
uint32_t CreateSemaphore(Program &program, const CoreRange &, uint32_t initial) {
  program.semaphores.push_back(initial);
  return static_cast<uint32_t>(program.semaphores.size() - 1);
}
KernelHandle CreateKernel(Program &program, const std::string &file, const CoreRange &cores,
                          const std::variant<DataMovementConfig, ComputeConfig> &config) {
  program.kernels.push_back({file, cores, config, {}});
  return static_cast<KernelHandle>(program.kernels.size() - 1);
}
void SetRuntimeArgs(const Program &program, KernelHandle kernel, const CoreCoord &core,
                    std::span<const uint32_t> arguments) {
  program.kernels.at(kernel).arguments[{core.x, core.y}] = {arguments.begin(), arguments.end()};
}

} // namespace tt::tt_metal
