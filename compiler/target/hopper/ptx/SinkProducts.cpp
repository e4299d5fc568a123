// Sinks products of a stride with row numbers into the loop that reads them.
//
//   %r = zext (or disjoint %warp, 4)       loop:
//   %a = mul %warp64, %stride                gep .., %a
//   %b = mul %r, %stride             ->      gep .., %a + 4 * %stride
//   loop: gep .., %a; gep .., %b
//
// A thread that copies a tile has such an offset for each of its rows: two registers each, against a shift and a sum.

#include "compiler/target/hopper/ptx/SinkProducts.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include <tuple>

namespace tawa {
namespace {

constexpr size_t kFewest = 4; ///< Of fewer, what is held instead takes as many registers.

/// A product with a stride, by what the number of the row is counted from.
struct Product {
  llvm::Instruction *result = nullptr;
  int64_t row = 0;
};
/// The stride, the number that others are counted from, and how that is widened.
using Family = std::tuple<llvm::Value *, llvm::Value *, unsigned>;

/// The sum of a value and a constant that no widening changes; a value alone is a sum with 0.
std::pair<llvm::Value *, int64_t> splitRow(llvm::Value *row, bool isSigned) {
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(row);
  auto *constant = sum ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
  if (!constant || constant->isNegative())
    return {row, 0};
  auto *disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(sum);
  bool isDisjoint = disjoint && disjoint->isDisjoint();
  bool adds =
      sum->getOpcode() == llvm::Instruction::Add && (isSigned ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap());
  return isDisjoint || adds ? std::pair(sum->getOperand(0), constant->getSExtValue()) : std::pair(row, int64_t{0});
}

std::optional<std::pair<Family, Product>> productOf(llvm::Instruction &instruction) {
  if (instruction.getOpcode() != llvm::Instruction::Mul || !instruction.getType()->isIntegerTy(64))
    return std::nullopt;
  for (unsigned side : {0u, 1u}) {
    auto *wide = llvm::dyn_cast<llvm::CastInst>(instruction.getOperand(side));
    llvm::Value *stride = instruction.getOperand(1 - side);
    if (!wide || !llvm::isa<llvm::ZExtInst, llvm::SExtInst>(wide) || llvm::isa<llvm::Constant>(stride))
      continue;
    auto [from, row] = splitRow(wide->getOperand(0), llvm::isa<llvm::SExtInst>(wide));
    return std::pair(Family{stride, from, wide->getOpcode()}, Product{&instruction, row});
  }
  return std::nullopt;
}

using Products = llvm::MapVector<Family, llvm::SmallVector<Product>>;

Products productsReadBy(const llvm::Loop &loop) {
  llvm::SetVector<llvm::Instruction *> read;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &user : *block)
      for (llvm::Value *operand : user.operands())
        if (auto *invariant = llvm::dyn_cast<llvm::Instruction>(operand);
            invariant && !llvm::isa<llvm::PHINode>(user) && !loop.contains(invariant->getParent()))
          read.insert(invariant);
  Products products;
  for (llvm::Instruction *invariant : read)
    if (auto found = productOf(*invariant))
      products[found->first].push_back(found->second);
  return products;
}

/// A copy before the loop that LLVM does not see through: it would take the products out of the loop again.
llvm::Value *hold(llvm::Value *value, llvm::BasicBlock &before) {
  llvm::IRBuilder<> builder(before.getTerminator());
  llvm::Type *type = builder.getInt64Ty();
  auto *move = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, /*isVarArg=*/false), "mov.b64 $0, $1;",
                                    "=l,l", /*hasSideEffects=*/false);
  return builder.CreateCall(move, {value});
}

/// Each reader in the loop computes its own.
void sink(const Product &product, int64_t rows, llvm::Value *first, llvm::Value *stride, const llvm::Loop &loop) {
  llvm::SetVector<llvm::Instruction *> readers;
  for (llvm::User *user : product.result->users())
    if (auto *reader = llvm::cast<llvm::Instruction>(user);
        loop.contains(reader->getParent()) && !llvm::isa<llvm::PHINode>(reader))
      readers.insert(reader);
  for (llvm::Instruction *reader : readers) {
    llvm::IRBuilder<> builder(reader);
    llvm::Value *offset =
        rows == 0 ? first : builder.CreateAdd(first, builder.CreateMul(stride, builder.getInt64(rows)));
    reader->replaceUsesOfWith(product.result, offset);
  }
}

} // namespace

bool sinkProducts(const llvm::Loop &loop) {
  llvm::BasicBlock *before = loop.getLoopPredecessor();
  bool hasSunk = false;
  if (!before)
    return hasSunk;
  for (auto &[family, products] : productsReadBy(loop)) {
    if (products.size() < kFewest)
      continue;
    const Product first =
        *llvm::min_element(products, [](const Product &a, const Product &b) { return a.row < b.row; });
    llvm::Value *held = hold(first.result, *before), *stride = hold(std::get<0>(family), *before);
    for (const Product &product : products)
      sink(product, product.row - first.row, held, stride, loop);
    hasSunk = true;
  }
  return hasSunk;
}

} // namespace tawa
