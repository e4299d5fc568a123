// The program of a core of a spatial machine: three threads (reader, compute, writer) that share circular buffers of
// tiles and semaphores in the core's local memory. Plain data: lowered from a Plan, simulated, and printed as C++.
//
// One text is for all cores. Expressions are affine functions of variables: the coordinates of the executing core, then
// the wave indices, then places of the core that turn from wave to wave, then the indices of loops. Each index of the
// plan's nest has one variable for all threads; a variable is 0 outside of its loop.
//
// What the operations mean (beside them, the functions of TT-Metalium's public dataflow interface that do the same):
//
// - A buffer is a ring of `slots` tiles with one producer thread and one consumer thread. The producer reserves (waits
//   until so many slots are free), fills slots counted from its own position, and pushes, which moves its position on.
//   The consumer waits until so many tiles are there, counted from its position and including those that it waited for
//   before; uses them; and pops. (cb_reserve_back, cb_push_back, cb_wait_front, cb_pop_front)
// - Transfers are asynchronous. Each carries a tag; a barrier waits until at most `allowed` transfers of its tag and
//   direction are under way, the oldest finishing first. (noc_async_read_barrier_with_trid; waiting for all is allowed)
// - A semaphore counts signals. Each core has one of each; one thread waits for it. A wait for n takes n signals,
//   which is to wait for the running total of all waits so far (noc_semaphore_wait_min). A signal to one core adds 1
//   (noc_semaphore_inc). A semaphore that is signalled to a line has one signaller, which may as well write the running
//   total of its signals to all (noc_semaphore_set_multicast; the word that it is sent from may not change before it
//   has left). Hence no thread can observe in which order signals of different cores arrive: whether a program ends
//   does not depend on time.
// - A tile that is sent arrives in the slot of the receiver that has the sender's position in the ring, and is not
//   pushed there: the receiver's thread pushes after a signal, which arrives after what was sent before it along the
//   same network to the same cores.
#pragma once

#include "runtime/mesh/TileProgram.h"

#include <array>
#include <limits>
#include <variant>

namespace tawa::mesh {

enum class Thread : uint8_t { Reader, Compute, Writer };
constexpr int kThreads = 3;
const char *threadName(Thread thread);

struct CircularBuffer {
  std::string name;
  int64_t tileBytes = 0;
  int64_t slots = 0; ///< Tiles of the ring.
};

/// 0 <= value < extent, or with `outside` the opposite.
struct Guard {
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();
  Affine value;
  int64_t extent = 1; ///< kUnbounded: 0 <= value.
  bool outside = false;
  bool holds(std::span<const int64_t> variables) const {
    int64_t at = value.at(variables);
    return (at >= 0 && at < extent) != outside;
  }
  bool operator==(const Guard &) const = default;
};

/// The receivers of a transfer or a signal.
struct Destination {
  enum class Reach : uint8_t { Core, Line };
  Reach reach = Reach::Core;
  /// Line: all other cores with the same coordinates but coordinate number `along`.
  int along = -1;
  /// Core: its coordinates, from those of the executing core.
  std::vector<Coordinate> core;
  /// The machine's network whose links it takes; -1 for a signal that need not follow a transfer.
  int network = -1;
};

struct Operation;

struct Loop {
  int variable = -1;
  int64_t extent = 0;
  std::vector<Operation> body;
  std::optional<TripCount> trips = {}; ///< Its length from the variables, where that is not always `extent`.
};

/// Executes its body if all guards hold.
struct If {
  std::vector<Guard> guards;
  std::vector<Operation> body;
};

/// Sets a variable: to `value` in even waves, to `last - value` in odd ones.
struct Turn {
  int variable = -1;
  Affine value;
  int64_t last = 0;
  int wave = -1; ///< A variable.
};

struct BufferStep {
  enum class Kind : uint8_t { Reserve, Push, Wait, Pop };
  Kind kind = Kind::Reserve;
  int buffer = -1;
  Affine tiles;
};

/// Global memory to a slot. Where a guard fails nothing is read, but barriers count it.
struct Read {
  int buffer = -1;
  Affine slot;       ///< From the producer's position.
  TileAccess access; ///< Starts are functions of the variables; `operation` is the load.
  std::vector<Guard> guards;
  int tag = 0;
};

/// A slot to global memory; elements outside of the tensor are not written.
struct Write {
  int buffer = -1;
  Affine slot;       ///< From the consumer's position.
  TileAccess access; ///< `operation` is the store.
  int tag = 0;
};

/// A slot to the same slot of other cores: a multicast, or a send to one core.
struct Forward {
  int buffer = -1;
  Affine slot; ///< From the producer's position.
  Destination to;
  int tag = 0;
};

struct Barrier {
  enum class Kind : uint8_t { Reads, Writes }; ///< Forward counts as a write.
  Kind kind = Kind::Reads;
  int tag = 0;
  Affine allowed;
};

struct SemaphoreWait {
  int semaphore = -1;
  int64_t count = 1;
};

struct Signal {
  int semaphore = -1;
  Destination to;
};

/// The operators of a segment of the body, between loads, stores and loops.
struct Compute {
  struct Tile {
    int buffer = -1;
    Affine slot;        ///< From the consumer's position for operands, the producer's for results.
    int operation = -1; ///< Number of the load or the store.
  };
  struct Operator {
    TileOperator op;
    int position = -1; ///< Its step in its body of the tile program: what `operands` of others name.
  };
  std::vector<Tile> consumes, produces; ///< What the segment is the first to use; what its end stores.
  std::vector<Operator> operators;
  int loop = -1; ///< In the body of this loop of the tile program, by its index; -1: in the outermost.
};

struct Operation {
  std::variant<Loop, If, Turn, BufferStep, Read, Write, Forward, Barrier, SemaphoreWait, Signal, Compute> what;
};

struct CoreProgram {
  std::string name;
  std::vector<std::string> variables;
  std::vector<int64_t> coordinates; ///< Extents of the cores' array; the first so many variables.
  std::vector<Affine> indices;      ///< Of the tile program, those of the grid first, from the variables.
  int gridDims = 0;
  std::vector<Tensor> tensors;
  std::vector<CircularBuffer> buffers;
  std::vector<std::string> semaphores;
  /// Kept between segments by the compute thread: the tile program's `carriedBytes`.
  int64_t accumulatorBytes = 0;
  std::array<std::vector<Operation>, kThreads> threads;

  /// What one core needs of its local memory: buffers, accumulators, 16 bytes for each semaphore.
  int64_t localBytes() const;
  /// For people, and for comparisons: equal programs have equal text.
  std::string str() const;
};

/// "for k in 0..4", "read a[0] <- x[128 * m, 64 * k]": an operation without its body.
std::string str(const Operation &operation, const CoreProgram &program);

} // namespace tawa::mesh
