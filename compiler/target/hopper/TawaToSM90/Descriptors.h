// Emits tensor maps that a role makes itself (tawa.make_descriptor).
#pragma once

#include "compiler/layouts/algebra/HopperLayouts.h"
#include "compiler/target/hopper/TawaToSM90/GlobalOrder.h"
#include "compiler/target/hopper/TawaToSM90/Scratch.h"

namespace tawa {

class DescriptorEmitter : public Emitter {
public:
  DescriptorEmitter(RoleContext &context, RoleBarrier &barrier, Scratch &scratch, GlobalOrder &order)
      : Emitter(context), barrier(barrier), scratch(scratch), order(order) {}

  /// Once per kernel, by one thread: the initial record holds a size that no tensor has.
  void init(mlir::Location loc);
  mlir::LogicalResult lower(ws::MakeDescriptorOp make);
  /// The map of one box (innermost dimension first), made when first asked for.
  mlir::Value mapOf(ws::MakeDescriptorOp make, llvm::ArrayRef<uint32_t> box, Swizzle swizzle);
  /// After all roles: how much global memory each CTA has for its maps.
  void finish();

private:
  struct Description {
    mlir::Value base;
    Values sizes, strides; ///< Innermost first; bytes, of all dimensions but the innermost.
  };
  struct MadeDescriptor {
    mlir::scf::IfOp changed; ///< What happens where it is not the description before; maps are acquired at its end.
    mlir::scf::IfOp actor;   ///< What one thread does then: it writes the maps; `changed` in a role of one thread.
    mlir::Value staging;     ///< Shared memory for one map.
    Description described;
    using Form = std::pair<llvm::SmallVector<uint32_t>, Swizzle>; ///< A box, innermost first.
    llvm::SmallVector<std::pair<Form, mlir::Value>> maps;
  };
  mlir::Value scratchOfCta(mlir::Location loc);
  Description descriptionOf(ws::MakeDescriptorOp make);
  Values recordWords(mlir::Location loc, const Description &described);
  mlir::Value differsFromRecord(mlir::Location loc, mlir::Value record, llvm::ArrayRef<mlir::Value> words);
  void awaitLanded(mlir::Location loc, const RingPlan &ring, mlir::Value index);
  mlir::scf::IfOp writeRecord(mlir::Location loc, mlir::Value record, llvm::ArrayRef<mlir::Value> words);

  RoleBarrier &barrier;
  Scratch &scratch;
  GlobalOrder &order;
  llvm::DenseMap<mlir::Operation *, MadeDescriptor> makes;
  uint32_t madeMaps = 0;                   ///< Of all roles.
  mlir::Value ctaScratch;                  ///< Where this CTA's maps are; null without any.
  mlir::arith::ConstantOp ctaScratchBytes; ///< Filled in at the end.
};

} // namespace tawa
