// wgmma of one warp group: accumulators, asynchronous products, commit groups. 128 threads execute a product together;
// the last one issues it, and depending on the schedule it is computed then or at the wait that covers it.
#pragma once

#include "runtime/emulator/DepositQueue.h"
#include "runtime/emulator/RaceDetector.h"
#include "runtime/emulator/Scheduler.h"
#include "runtime/emulator/WgmmaDescriptor.h"
#include "runtime/emulator/WgmmaKernels.h"

#include <deque>
#include <memory>
#include <vector>

namespace tawa::emu {

struct Cta;
class Cluster;

/// The registers of 128 threads that wgmma accumulates into. Threads need registers; products need a matrix. It is kept
/// in the form used last and converted when needed.
class Accumulator {
public:
  void start(uint32_t registersPerThread);
  uint32_t registers() const { return perThread; }

  void write(uint32_t thread, const uint32_t *values);
  void read(uint32_t thread, uint32_t *values) const;
  /// As a matrix of n x 64 elements of `type` (f16 as floats); without `keep` its content does not matter.
  void *matrix(ElementType type, uint32_t n, bool keep);

  uint32_t products = 0; ///< Issued and not yet covered by a wait.
  uint32_t frees = 0;    ///< Threads that have given it back.
  bool inUse = false;

private:
  enum class Form : uint8_t { Poison, Registers, Matrix };
  void toRegisters();
  void toMatrix();
  uint32_t load(uint32_t thread, uint32_t index) const;
  void store(uint32_t thread, uint32_t index, uint32_t value);

  struct alignas(64) Line {
    uint32_t words[16];
  };
  Form form = Form::Poison;
  ElementType type = ElementType::F32;
  uint32_t perThread = 0;
  uint32_t columns = 0;
  std::vector<uint32_t> file; ///< [thread][register]
  std::vector<Line> elements; ///< [column][64 rows]
};

/// The operands of one wgmma as a thread gives them; equal for the whole warp group.
struct WgmmaCall {
  void *accumulator = nullptr;
  uint64_t descriptorA = 0, descriptorB = 0; ///< No A when it comes in registers.
  uint32_t scaleD = 0, n = 0, types = 0, flags = 0;
  bool fromRegisters = false;
  bool operator==(const WgmmaCall &) const = default;
};

/// An operation of the whole warp group whose threads are still coming.
struct GroupDeposit {
  enum class Kind : uint8_t { AccNew, Product, Commit, Wait, SetRegisters };
  uint32_t threads = 0; ///< That have come.
  uint32_t ofWarp[4] = {};
  Kind kind = Kind::AccNew;
  uint64_t operand = 0; ///< AccNew: n. Wait: pendings. SetRegisters: count | increase << 32.
  WgmmaCall call;
  WgmmaShape shape;                   ///< Decoded from it.
  Accumulator *accumulator = nullptr; ///< Product: its target. AccNew: the result.
  std::vector<uint32_t> registersA;   ///< [thread][4], when A comes in registers.
  Knowledge knows;                    ///< What all warps that have come know.
  uint64_t commitGroup = 0;
  uint32_t warps = 0; ///< Whose 32 lanes have all come.
  bool computed = false;
  void clear();
};

struct WarpGroup {
  Cta *cta = nullptr;
  uint32_t number = 0;
  bool complete = false; ///< Has all its 128 threads.

  AgentId agent = 0; ///< First of the four that read for wgmma, one per warp.
  uint32_t tick = 0; ///< Of theirs: products issued.

  DepositQueue<GroupDeposit> deposits;
  WaitList waiters;
  std::vector<std::unique_ptr<Accumulator>> accumulators;
  std::deque<DepositQueue<GroupDeposit>::Holder> products; ///< Issued, not covered by a wait yet.
  std::deque<uint32_t> groupTicks;                         ///< `tick` at each commit that no wait has covered.
  uint64_t commits = 0;                                    ///< Groups committed; the open one has this number.

  uint32_t registers = 0;       ///< Per thread, setmaxnreg.
  uint32_t wantedRegisters = 0; ///< While it waits for more.

  void reset();
};

} // namespace tawa::emu
