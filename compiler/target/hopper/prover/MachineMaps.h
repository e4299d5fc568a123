// Tensor maps that the roles of a kernel write (sm90.tensormap_write): their addresses, their boxes, and that no copy
// uses one before it is written or after it is overwritten (README.md, "Tensor maps").
#pragma once

#include "compiler/roles/prover/RoleRules.h"
#include "compiler/target/hopper/prover/ByteIntervals.h"
#include "compiler/target/hopper/prover/MachineKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

namespace tawa::verify {

inline constexpr int64_t kMapBytes = 128; // PTX ISA, tensor maps

/// The last description, in shared memory: the map is written only when it changes.
struct MapRecord {
  mlir::scf::IfOp guard; ///< Around the write; null: no record guards the map's write.
  ByteIntervals bytes;   ///< Of the record.
  llvm::SmallPtrSet<mlir::Operation *, 8> stores;
};

struct WrittenMap {
  int64_t place = 0; ///< Byte of the CTA's part of the launch's scratch memory.
  sm90::TensormapWriteOp write;
  MachineRole *role = nullptr; ///< The only role that writes it and copies through it.
  Range staging;               ///< In shared memory.
  MapRecord record;
};

class MachineMaps {
public:
  explicit MachineMaps(MachineKernel &kernel) : kernel(kernel) {}

  /// Returns what is wrong with the addresses of maps or with their records.
  std::optional<RoleFinding> read();

  llvm::ArrayRef<WrittenMap> maps() const { return found; }
  /// The number of a map that a role writes; none: it is a kernel parameter.
  std::optional<unsigned> numberOf(mlir::Value map) const;
  /// Of a map that is a kernel parameter; null: it is none.
  sm90::TensorMapAttr parameterOf(mlir::Value map) const;
  /// Bytes of a map's box; 0 when unknown.
  int64_t boxBytes(mlir::Value map) const;
  /// Shared memory in which maps and records are assembled.
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

/// Offset of an address in the CTA's part of the launch's scratch memory; none: not known to point there.
std::optional<int64_t> scratchPlaceOf(mlir::func::FuncOp kernel, mlir::Value address);
/// The record that guards a map's write, where one tells which description the map has.
MapRecord recordOf(MachineKernel &kernel, MachineRole &role, sm90::TensormapWriteOp write);

/// Checks the order of copies through the role's maps and the writes of those maps.
std::optional<RoleFinding> checkMaps(MachineKernel &kernel, MachineRole &role, const MachineMaps &maps);

} // namespace tawa::verify
