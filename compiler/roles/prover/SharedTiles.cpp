// SharedTiles: value numbers of every program of a cluster, with what they compared as equal taken to be so.
#include "compiler/roles/prover/SharedTiles.h"
#include "compiler/analysis/ProgramVariance.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/roles/prover/ValueEquivalence.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/Hashing.h"

#include <algorithm>
#include <deque>

using namespace mlir;

namespace tawa::verify {
namespace {

using Equalities = llvm::EquivalenceClasses<uint64_t>;

/// A number known as another one, which all programs have, and a constant.
struct Counted {
  uint64_t base; ///< 0: the constant alone.
  int64_t offset;
};

/// Identities of such numbers; the same in all programs of a cluster.
class CountedNumbers {
public:
  uint64_t of(uint64_t base, int64_t offset) {
    uint64_t identity = llvm::hash_combine(StringRef("counted"), base, offset);
    known.try_emplace(identity, Counted{base, offset});
    return identity;
  }
  std::optional<Counted> find(uint64_t identity) const {
    auto found = known.find(identity);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  }

private:
  llvm::DenseMap<uint64_t, Counted> known;
};

/// What all programs of a cluster have in common.
struct Cluster {
  uint32_t programs;
  const ProgramVariance &variance;
  CountedNumbers numbers;
  /// A cluster's first id, a multiple of its size.
  uint64_t first = llvm::hash_value(StringRef("first program"));
};

/// Values as one program of a cluster has them: two programs' are equal where their identities are.
class ProgramValues : public Identities {
public:
  ProgramValues(Cluster &cluster, uint32_t program) : cluster(cluster), program(program) {}
  /// The same program, where some of its values are equal to other programs'.
  ProgramValues(ProgramValues &plain, const Equalities &equal)
      : cluster(plain.cluster), program(plain.program), plain(&plain), equal(&equal) {}

protected:
  std::optional<uint64_t> given(Value value) override {
    if (plain)
      if (auto found = equal->findLeader(plain->of(value)); found != equal->member_end())
        return *found;
    APInt known;
    if (matchPattern(value, m_ConstantInt(&known)))
      return cluster.numbers.of(0, known.getSExtValue());
    if (!cluster.variance.varies(value))
      return onlyItself(value);
    if (isProgramId(value))
      return cluster.numbers.of(cluster.first, program);
    if (auto argument = dyn_cast<BlockArgument>(value))
      return ofInduction(argument);
    Operation *op = value.getDefiningOp();
    if (op->getNumRegions() == 0 && !isMemoryEffectFree(op)) // read at different times
      return llvm::hash_combine(StringRef("own"), value.getAsOpaquePointer(), program);
    return isa<arith::AddIOp, arith::SubIOp, arith::XOrIOp>(op) ? ofSum(op) : std::nullopt;
  }

private:
  /// Loops that programs begin at numbers a constant apart stay so apart, round by round.
  std::optional<uint64_t> ofInduction(BlockArgument argument) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar() || cluster.variance.varies(loop.getStep()))
      return std::nullopt;
    auto begin = cluster.numbers.find(of(loop.getLowerBound()));
    if (!begin)
      return std::nullopt;
    return cluster.numbers.of(llvm::hash_combine(loop.getAsOpaquePointer(), begin->base), begin->offset);
  }

  /// Of numbers one of which is a constant, or the difference of two that count from the same one.
  std::optional<uint64_t> ofSum(Operation *op) {
    auto left = cluster.numbers.find(of(op->getOperand(0))), right = cluster.numbers.find(of(op->getOperand(1)));
    if (!left || !right)
      return std::nullopt;
    if (isa<arith::AddIOp>(op) && (left->base == 0 || right->base == 0))
      return cluster.numbers.of(left->base | right->base, left->offset + right->offset);
    if (isa<arith::SubIOp>(op) && (right->base == 0 || left->base == right->base))
      return cluster.numbers.of(right->base == 0 ? left->base : 0, left->offset - right->offset);
    bool isNeighbour = isa<arith::XOrIOp>(op) && left->base == cluster.first && right->base == 0;
    if (isNeighbour && right->offset >= 0 && right->offset < cluster.programs)
      return cluster.numbers.of(cluster.first, left->offset ^ right->offset);
    return std::nullopt;
  }

  Cluster &cluster;
  uint32_t program;
  ProgramValues *plain = nullptr;
  const Equalities *equal = nullptr;
};

/// Programs whose numbers differ in these bits only share a tile, where all of these are equal.
struct Choice {
  Equalities equal;
  uint32_t bits;

  /// Two programs may compare different pairs: what counts is what is equal in the end.
  bool isSameAs(const Choice &other) const { return bits == other.bits && classes() == other.classes(); }

private:
  std::vector<std::vector<uint64_t>> classes() const {
    std::vector<std::vector<uint64_t>> found;
    for (auto member = equal.begin(); member != equal.end(); ++member)
      if (member->isLeader()) {
        found.emplace_back(equal.member_begin(member), equal.member_end());
        llvm::sort(found.back());
      }
    llvm::sort(found);
    return found;
  }
};

/// Adds what a condition compares; false where it does anything else.
bool addEqualities(Value condition, ProgramValues &values, Equalities &equal) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return addEqualities(both.getLhs(), values, equal) && addEqualities(both.getRhs(), values, equal);
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return matchPattern(condition, m_One());
  uint64_t left = values.of(compare.getLhs()), right = values.of(compare.getRhs());
  if (left != right)
    equal.unionSets(left, right);
  return true;
}

/// A number of sharing as one program finds it: the first of these whose values are equal. Empty where it is found in
/// any other way.
std::vector<Choice> choicesOf(Value bits, ProgramValues &values) {
  std::vector<Choice> choices;
  while (true) {
    APInt known;
    Choice &choice = choices.emplace_back();
    if (matchPattern(bits, m_ConstantInt(&known))) {
      choice.bits = known.getZExtValue();
      return choices;
    }
    if (auto wide = bits.getDefiningOp<arith::ExtUIOp>(); wide && wide.getIn().getType().isInteger(1)) {
      choice.bits = 1;
      if (!addEqualities(wide.getIn(), values, choice.equal))
        return {};
      choices.push_back({{}, 0});
      return choices;
    }
    auto select = bits.getDefiningOp<arith::SelectOp>();
    if (!select || !matchPattern(select.getTrueValue(), m_ConstantInt(&known)) ||
        !addEqualities(select.getCondition(), values, choice.equal))
      return {};
    choice.bits = known.getZExtValue();
    bits = select.getFalseValue();
  }
}

/// One tile of a put.
class SharedTile {
public:
  SharedTile(Cluster &cluster, std::deque<ProgramValues> &programs, Value tile, Value bits)
      : cluster(cluster), programs(programs), load(tile.getDefiningOp<tt::DescriptorLoadOp>()), bits(bits) {}

  /// What is not proved; null: nothing.
  const char *finding() {
    if (matchPattern(bits, m_Zero()))
      return nullptr;
    if (!load || cluster.variance.varies(load.getDesc()))
      return "programs of the cluster share what they do not load from one tensor";
    std::vector<Choice> choices = choicesOf(bits, programs.front());
    if (choices.empty())
      return "which programs of the cluster share a tile does not follow from equal values";
    for (ProgramValues &other : llvm::drop_begin(programs))
      if (!llvm::equal(choices, choicesOf(bits, other), [](auto &one, auto &two) { return one.isSameAs(two); }))
        return "programs of the cluster may disagree on which of them share a tile";
    bool areSame = llvm::all_of(choices, [&](const Choice &choice) { return isSameInAll(choice); });
    return areSame ? nullptr : "programs of the cluster that share a tile may need different ones";
  }

private:
  bool isSameInAll(const Choice &choice) {
    if (choice.bits >= cluster.programs)
      return false;
    std::deque<ProgramValues> equal;
    for (ProgramValues &program : programs)
      equal.emplace_back(program, choice.equal);
    for (uint32_t program = 0; program < cluster.programs; ++program)
      for (Value index : load.getIndices())
        if (equal[program].of(index) != equal[program & ~choice.bits].of(index))
          return false;
    return true;
  }

  Cluster &cluster;
  std::deque<ProgramValues> &programs;
  tt::DescriptorLoadOp load;
  Value bits;
};

} // namespace

std::optional<RoleFinding> findDifferentTiles(tt::FuncOp func) {
  std::optional<RoleFinding> found;
  auto programs = ws::kClusterAttr.get(func);
  if (!programs)
    return found;
  ProgramVariance variance(func, *programs);
  Cluster cluster{static_cast<uint32_t>(*programs), variance, {}};
  std::deque<ProgramValues> values;
  for (uint32_t program = 0; program < cluster.programs; ++program)
    values.emplace_back(cluster, program);
  func.walk([&](ws::PutOp put) {
    for (auto [tile, bits] : llvm::zip(put.getValues(), put.getMulticast()))
      if (const char *finding = found ? nullptr : SharedTile(cluster, values, tile, bits).finding())
        found = RoleFinding{put, finding};
  });
  return found;
}

} // namespace tawa::verify
