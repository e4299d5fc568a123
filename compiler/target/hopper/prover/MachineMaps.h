// Tensor maps that the roles of a kernel write (sm90.tensormap_write): where they lie, what their boxes are, and that
// nobody copies by one that is not there yet, or not any more (README.md, "Tensor maps").
#pragma once

#include "compiler/roles/prover/RoleRules.h"
#include "compiler/target/hopper/prover/ByteIntervals.h"
#include "compiler/target/hopper/prover/MachineKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

namespace tawa::verify {

inline constexpr int64_t kMapBytes = 128; // PTX ISA, tensor maps

/// What was described last, in shared memory: the map is written only where that changes.
struct MapRecord {
  mlir::scf::IfOp guard; ///< Around the write; null: the map is not written behind a record.
  ByteIntervals bytes;   ///< Of the record.
  llvm::SmallPtrSet<mlir::Operation *, 8> stores;
};

struct WrittenMap {
  int64_t place = 0; ///< Byte of the CTA's part of the launch's scratch memory.
  sm90::TensormapWriteOp write;
  MachineRole *role = nullptr; ///< The only one that writes it and copies by it.
  Range staging;               ///< In shared memory.
  MapRecord record;
};

class MachineMaps {
public:
  explicit MachineMaps(MachineKernel &kernel) : kernel(kernel) {}

  /// Gives what is wrong with the places of maps, and with what is kept of them.
  std::optional<RoleFinding> read();

  llvm::ArrayRef<WrittenMap> maps() const { return found; }
  /// The number of a map that a role writes; nothing: a parameter of the kernel.
  std::optional<unsigned> numberOf(mlir::Value map) const;
  /// Of the box of a map; 0 when it is not known.
  int64_t boxBytes(mlir::Value map) const;
  /// Shared memory in which maps and records are made.
  const ByteIntervals &memory() const { return taken; }

private:
  void readWrite(MachineRole &role, sm90::TensormapWriteOp write);
  void readUses(MachineRole &role);
  void readPlaces();
  void readMemory();
  void checkStores();
  void fail(mlir::Operation *op, const llvm::Twine &what) {
    if (!finding)
      finding = RoleFinding{op, what.str()};
  }

  MachineKernel &kernel;
  std::vector<WrittenMap> found;
  std::map<int64_t, unsigned> numbers; ///< By place.
  ByteIntervals taken;
  std::optional<RoleFinding> finding;
};

/// The byte of the CTA's part of the launch's scratch memory that an address is; nothing: not known to be one.
std::optional<int64_t> scratchPlaceOf(mlir::func::FuncOp kernel, mlir::Value address);
/// The record behind which a map is written, where there is one that says of which description the map is.
MapRecord recordOf(MachineKernel &kernel, MachineRole &role, sm90::TensormapWriteOp write);

/// Copies by the role's maps, and their writes, are ordered.
std::optional<RoleFinding> checkMaps(MachineKernel &kernel, MachineRole &role, const MachineMaps &maps);

} // namespace tawa::verify
