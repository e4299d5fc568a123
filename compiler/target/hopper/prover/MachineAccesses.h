// Accesses of a role to shared memory: which threads touch which bytes.
#pragma once

#include "compiler/target/hopper/prover/MachineProducts.h"
#include "compiler/target/hopper/prover/MachineRings.h"

namespace tawa::verify {

/// Consecutive accesses of one kind with no ordering between them count as one, at the first.
struct PrivateAccess {
  enum class Kind : uint8_t { Read, Write, Atomic, Store, Product };
  Kind kind;
  mlir::Operation *op;
  unsigned number;
  std::optional<unsigned> ring;     ///< The ring whose slots are used; none: the role's private memory.
  std::vector<unsigned> threads;    ///< The threads that start it.
  std::vector<ByteIntervals> bytes; ///< By warp of the role.

  /// Reads that continue while the thread proceeds.
  bool isAsync() const { return kind == Kind::Store || kind == Kind::Product; }
  bool writes() const { return kind == Kind::Write || kind == Kind::Atomic; }
};

const char *describe(PrivateAccess::Kind kind);

/// Which threads may touch common bytes in two accesses.
enum class Meeting : uint8_t { None, InWarp, InRole };

class PrivateAccesses {
public:
  PrivateAccesses(MachineKernel &kernel, MachineRole &role, const MachineRings &rings);

  const PrivateAccess &operator[](unsigned number) const { return accesses[number]; }
  /// The access made by this operation.
  std::optional<unsigned> madeAt(mlir::Operation *op) const;
  Meeting meetingOf(const PrivateAccess &a, const PrivateAccess &b);
  /// Whether an operation's regions contain a relevant access.
  bool matters(mlir::Operation *op) const { return relevant.contains(op); }
  const MachineRings &rings() const { return knownRings; }
  /// Whether the role writes to the slot of a ring that it has borrowed. Of such a ring all accesses are listed, with
  /// their bytes.
  bool isWritten(unsigned ring) const { return written.contains(ring); }
  const std::optional<RoleFinding> &finding() const { return found; }

private:
  void readBlock(mlir::Block &block);
  void read(mlir::Operation *op, PrivateAccess::Kind kind, bool continues);
  std::vector<ByteIntervals> bytesOf(mlir::Operation *op, PrivateAccess::Kind kind);
  std::vector<ByteIntervals> bytesAt(mlir::Operation *op, mlir::Value address, int64_t bytes);
  std::optional<unsigned> ringOf(mlir::Operation *op, PrivateAccess::Kind kind);
  bool isOfFreeSlot(mlir::Operation *op, PrivateAccess::Kind kind) const;
  std::optional<MachineRings::SlotPart> partOf(mlir::Operation *op, const ProductOperand &operand, Range *bytes);
  void findWritten();
  void note(mlir::Operation *op);

  MachineKernel &kernel;
  MachineRole &role;
  const MachineRings &knownRings;
  std::vector<PrivateAccess> accesses;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::DenseMap<std::pair<unsigned, unsigned>, Meeting> meetings;
  llvm::DenseSet<mlir::Operation *> relevant;
  llvm::DenseSet<unsigned> written;
  bool reusesSlots = false; ///< Writes to bytes of slots that it needs no more: all accesses of slots are listed.
  std::optional<RoleFinding> found;
};

/// Bytes that a thread touches with one address.
int64_t accessBytes(mlir::Operation *op);

} // namespace tawa::verify
