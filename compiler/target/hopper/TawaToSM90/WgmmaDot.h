// Emits the wgmma instructions of a dot: the instances that a warp group runs, and their operands.
#pragma once

#include "compiler/layouts/algebra/HopperLayouts.h"
#include "compiler/target/hopper/TawaToSM90/Emitter.h"

namespace tawa {

/// The wgmma instances that cover one warp group's part of an accumulator. Registers of the accumulator are those of
/// instance 0, then of instance 1, and so on, also where instances are narrower than the maximum.
struct WgmmaInstances {
  LinearLayout layout;
  uint32_t instrN = 0, registers = 0, count = 0;
  unsigned groupBits = 0; ///< log2 of the warp groups that share the tile.

  explicit WgmmaInstances(mlir::RankedTensorType accumulator, uint32_t maxInstrN = 256);
  /// Row and column of an instance's corner, before the warp group's own.
  std::vector<uint32_t> corner(uint32_t instance) const { return layout.apply({instance * registers, 0, 0}); }
  uint32_t groupBasis(unsigned bit, unsigned dim) const { return layout.basis("warp", bit + 2, dimName(dim)); }
};

struct WgmmaDot {
  /// An operand in shared memory: its derived descriptor and the addresses of the blocks the instances need.
  struct SharedOperand {
    WgmmaSmemOperand form;
    mlir::Value base; ///< i64 descriptor of block 0 of the warp group, step 0.
  };
  WgmmaInstances instances;
  mlir::Type aType, bType;        ///< As the instruction calls them.
  std::optional<SharedOperand> a; ///< None: in registers.
  LinearLayout layoutA;           ///< Of A in registers.
  Values wordsA;                  ///< Of A in registers, in the order of `layoutA`.
  SharedOperand b;

  uint32_t steps() const { return b.form.stepOffsets.size(); }
};

class WgmmaEmitter : public Emitter {
public:
  explicit WgmmaEmitter(RoleContext &context) : Emitter(context) {}

  /// A dot as the instructions of one warp group take it; operand A in registers is still missing.
  mlir::FailureOr<WgmmaDot> describeDot(mlir::Operation *dot, WgmmaInstances instances);
  mlir::LogicalResult packOperandA(mlir::Operation *dot, WgmmaDot &described);
  /// One instruction: instance `index`, step `step` of K. Unless `adds`, it ignores the value of `running`.
  mlir::FailureOr<mlir::Value> issue(mlir::Operation *dot, const WgmmaDot &described, uint32_t index, uint32_t step,
                                     mlir::Value running, mlir::Value adds);

private:
  /// The matrix descriptor of an operand at this warp group's corner: `groupBlocks` says how many blocks each bit of
  /// the group's index moves it.
  mlir::FailureOr<mlir::Value> describeOperand(mlir::Operation *dot, mlir::Value value, unsigned mnDim,
                                               const WgmmaSmemOperand &form, llvm::ArrayRef<uint32_t> groupBlocks);
};

/// Emits a wait for all dots that may be in flight at `at`. The accumulators in flight there pass through it.
void waitForDots(MachineBuilder &builder, ValueMap &values, mlir::Operation *at);

} // namespace tawa
