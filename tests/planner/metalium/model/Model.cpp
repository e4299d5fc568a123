#include "tests/planner/metalium/model/Model.h"

#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace metalium_model {
namespace {

constexpr uint32_t kFirstAddress = 0x20000000;
constexpr uint32_t kFirstOffset = 0x1000; ///< Of buffers in the local memory.
constexpr auto kPatience = std::chrono::milliseconds(1500);

// All threads waiting, and no change for some time, is a deadlock.
std::atomic<int> running, waiting;
std::atomic<uint64_t> changes;

thread_local Kernel currentKernel;
std::mutex printing;

} // namespace

Kernel &self() { return currentKernel; }

const std::vector<uint32_t> &Kernel::compileArguments() const {
  return std::visit([](const auto &config) -> const std::vector<uint32_t> & { return config.compile_args; },
                    description->config);
}

std::string Kernel::name() const {
  if (!core)
    return "host";
  return "core (" + std::to_string(core->x) + ", " + std::to_string(core->y) + "), " + description->file;
}

void fail(const std::string &what) {
  std::lock_guard lock(printing);
  std::fprintf(stderr, "%s: %s\n", currentKernel.name().c_str(), what.c_str());
  std::_Exit(1);
}

void require(bool condition, const std::string &what) {
  if (!condition)
    fail(what);
}

char *localMemory(uint32_t address) { return reinterpret_cast<char *>(static_cast<uintptr_t>(address)); }

void waitUntil(const std::string &what, const std::function<bool()> &condition) {
  sendWrites();
  std::unique_lock lock(self().core->mutex);
  ++waiting;
  uint64_t before = changes;
  while (!self().core->changed.wait_for(lock, kPatience, condition)) {
    if (changes == before && waiting == running)
      fail("deadlock: waits for " + what);
    before = changes;
  }
  --waiting;
}

void announce(Core &core) {
  ++changes;
  core.changed.notify_all();
}

CircularBuffer &bufferOf(uint32_t number) {
  auto found = self().core->buffers.find(number);
  require(found != self().core->buffers.end(), "no circular buffer " + std::to_string(number));
  return found->second;
}

uint32_t offsetAtFront(const CircularBuffer &buffer) {
  return buffer.start + static_cast<uint32_t>(buffer.popped % buffer.pages) * buffer.pageBytes;
}
uint32_t offsetAtBack(const CircularBuffer &buffer) {
  return buffer.start + static_cast<uint32_t>(buffer.pushed % buffer.pages) * buffer.pageBytes;
}

namespace {

std::vector<std::unique_ptr<Core>> makeCores(const Program &program) {
  std::vector<std::unique_ptr<Core>> cores;
  auto end = program.kernels.at(0).cores.end_coord;
  for (size_t y = 0; y <= end.y; ++y)
    for (size_t x = 0; x <= end.x; ++x) {
      auto core = std::make_unique<Core>();
      core->x = x;
      core->y = y;
      core->base = kFirstAddress + static_cast<uint32_t>(cores.size()) * kLocalBytes;
      void *memory = mmap(localMemory(core->base), kLocalBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      require(memory == localMemory(core->base), "no memory below 4 GB");
      std::memset(memory, 0xff, kLocalBytes); // NaN in all formats
      cores.push_back(std::move(core));
    }
  return cores;
}

void layOut(const Program &program, Core &core) {
  uint32_t offset = kFirstOffset;
  for (uint32_t initial : program.semaphores) {
    core.semaphores.push_back(offset);
    std::memcpy(localMemory(core.base + offset), &initial, sizeof(initial));
    offset += 16;
  }
  offset = (offset + 4095) / 4096 * 4096;
  for (const auto &config : program.buffers)
    for (auto [index, format] : config.formats) {
      uint32_t page = config.page_sizes.at(index);
      require(config.total_size % page == 0, "a circular buffer of no whole pages");
      CircularBuffer &buffer = core.buffers[index];
      buffer.pages = config.total_size / page;
      buffer.pageBytes = page;
      buffer.start = offset;
      buffer.format = format;
      offset += config.total_size;
    }
  require(offset <= kLocalBytes, "local memory is full");
}

void runKernel(Core &core, int number, const Program::Kernel &description, KernelMain main) {
  Kernel kernel;
  kernel.core = &core;
  kernel.number = number;
  kernel.description = &description;
  if (auto found = description.arguments.find({core.x, core.y}); found != description.arguments.end())
    kernel.arguments = found->second;
  currentKernel = kernel;
  resetCompute();
  main();
  sendWrites();
  require(self().reads.empty(), "ends with reads under way");
  --running;
  ++changes;
}

} // namespace

std::vector<Core *> &coresOfRun() {
  static std::vector<Core *> cores;
  return cores;
}

void run(const Program &program, const std::map<std::string, KernelMain> &kernels) {
  std::vector<std::unique_ptr<Core>> cores = makeCores(program);
  coresOfRun().clear();
  for (auto &core : cores) {
    layOut(program, *core);
    coresOfRun().push_back(core.get());
  }
  running = static_cast<int>(cores.size() * program.kernels.size());
  std::vector<std::thread> threads;
  for (auto &core : cores)
    for (int number = 0; number < static_cast<int>(program.kernels.size()); ++number) {
      const Program::Kernel &kernel = program.kernels[number];
      KernelMain main = kernels.at(kernel.file.substr(kernel.file.rfind('/') + 1));
      threads.emplace_back([&core = *core, number, &kernel, main] { runKernel(core, number, kernel, main); });
    }
  for (std::thread &thread : threads)
    thread.join();
  for (auto &core : cores)
    for (auto &[number, buffer] : core->buffers)
      require(buffer.pushed == buffer.popped, "tiles are left in circular buffer " + std::to_string(number));
  for (auto &core : cores)
    munmap(localMemory(core->base), kLocalBytes);
}

} // namespace metalium_model
