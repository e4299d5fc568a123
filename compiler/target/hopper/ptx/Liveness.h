// How many registers of a thread the values of LLVM's IR take.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <utility>

namespace llvm {
class BasicBlock;
class Function;
class Use;
class Value;
class Instruction;
} // namespace llvm

namespace tawa {

/// Which values are read in or after each block that defines them elsewhere. Registers are counted in LLVM's values,
/// 32 bits each: more than ptxas needs, which keeps what all threads share in uniform registers.
class Liveness {
public:
  explicit Liveness(llvm::Function &function);

  /// The most registers that are held at once somewhere in a block.
  unsigned most(llvm::BasicBlock &block) const;

private:
  /// A value, or one element of a structure: assembly with several results gives one.
  using Element = std::pair<llvm::Value *, unsigned>;
  using Elements = llvm::DenseSet<Element>;

  void reach(const Element &element, llvm::BasicBlock *block, bool atEnd);

  llvm::DenseMap<llvm::BasicBlock *, Elements> liveIn, handedOn;
};

} // namespace tawa
