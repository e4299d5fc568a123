// A functional model of a grid of cores, which executes printed programs on the host: each kernel of each core is a
// thread.
//
// It is meant to be unkind where the interface allows it: reads arrive at their barrier and not before; writes and
// multicasts leave in order at a flush, a barrier or a blocking call; atomic increments overtake writes; local memory
// and results start with garbage. It stops with a message at what the documentation forbids: tiles that were not waited
// for, registers that were not acquired, formats that were not configured, multicasts with a wrong number of receivers.
#pragma once

#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>

namespace metalium_model {

using tt::tt_metal::Program;

constexpr uint32_t kLocalBytes = 1 << 21; ///< A part of the address space for each core.
constexpr size_t kRegisters = 4;          ///< Half of them, with 32-bit elements.
constexpr size_t kTileSide = 32, kTileElements = kTileSide * kTileSide;

struct CircularBuffer {
  uint32_t pages = 0, pageBytes = 0, start = 0; ///< Offset in the local memory.
  tt::DataFormat format = tt::DataFormat::Float32;
  uint64_t pushed = 0, popped = 0;
  uint32_t reserved = 0, waited = 0;
  int producer = -1, consumer = -1; ///< Kernels.
};

struct Core {
  size_t x = 0, y = 0; ///< Logical.
  uint32_t base = 0;   ///< Address of its local memory, in this process too.
  std::mutex mutex;
  std::condition_variable changed;
  std::map<uint32_t, CircularBuffer> buffers;
  std::vector<uint32_t> semaphores; ///< Offsets.
};

/// A write under way.
struct PendingWrite {
  uint32_t from = 0;
  uint64_t to = 0;
  uint32_t bytes = 0;
};
struct PendingRead {
  uint64_t from = 0;
  uint32_t to = 0, bytes = 0;
};

/// The kernel that the calling thread executes.
struct Kernel {
  Core *core = nullptr;
  int number = -1;
  const Program::Kernel *description = nullptr;
  std::vector<uint32_t> arguments;
  std::vector<PendingWrite> writes;
  std::vector<PendingRead> reads;

  const std::vector<uint32_t> &compileArguments() const;
  std::string name() const;
};
Kernel &self();

/// Prints where and what, and ends the process.
[[noreturn]] void fail(const std::string &what);
void require(bool condition, const std::string &what);

char *localMemory(uint32_t address);
/// Sends what is under way, in order.
void sendWrites();
/// Waits until the condition holds, with the core's lock; fails in a deadlock.
void waitUntil(const std::string &what, const std::function<bool()> &condition);
/// Wakes threads that wait for the core's buffers or semaphores; with its lock.
void announce(Core &core);
CircularBuffer &bufferOf(uint32_t number);
uint32_t offsetAtFront(const CircularBuffer &buffer);
uint32_t offsetAtBack(const CircularBuffer &buffer);
void resetCompute(); ///< Registers and configuration of the calling thread.

/// Of the run under way.
std::vector<Core *> &coresOfRun();

using KernelMain = void (*)();
/// Executes the program; `kernels` are the functions of its files, by the names after the last slash.
void run(const Program &program, const std::map<std::string, KernelMain> &kernels);

} // namespace metalium_model
