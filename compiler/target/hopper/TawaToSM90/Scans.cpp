// Scans.cpp: tt.scan. Processes the coordinate bits along the axis from the lowest to the highest. Before step k every
// element has the prefix of its block of 2^k elements up to itself, and the block's total; a step joins two
// neighbouring blocks: the first one's total is prepended to the elements of the second. For a register bit both blocks
// are in the thread; for a lane bit, totals are exchanged by a shuffle; for warp bits, through scratch, all
// neighbouring warp bits at once. A reversed scan is the same with first and second exchanged.
#include "compiler/target/hopper/TawaToSM90/Scans.h"

using namespace mlir;

namespace tawa {

/// The scan of one operation.
class ScanEmitter::Scan {
public:
  Scan(ScanEmitter &emitter, tt::ScanOp op)
      : builder(emitter.builder), values(emitter.values), thread(emitter.thread), combiner(emitter.combiner), op(op),
        loc(op.getLoc()), body(op.getCombineOp().front()), layout(ws::layoutOf(op.getSrcs()[0].getType()).getLayout()),
        sliced(sliceAxis(layout, op.getAxis())), copies(findCopies(layout)) {}

  LogicalResult run() {
    if (failed(findBits()))
      return failure();
    load();
    while (done < bits.size())
      if (failed(step()))
        return failure();
    store();
    return success();
  }

private:
  enum class Kind { Register, Lane, Warp };
  struct AxisBit {
    Kind kind = Kind::Register;
    unsigned bit = 0;
  };

  /// Joins the blocks that the next bit of the axis distinguishes; consecutive warp bits are done together.
  LogicalResult step() {
    AxisBit next = bits[done];
    if (next.kind != Kind::Warp) {
      LogicalResult result = next.kind == Kind::Register ? joinRegisters(next.bit) : joinLanes(next.bit);
      ++done;
      return result;
    }
    SmallVector<unsigned> warps;
    size_t end = done;
    for (; end < bits.size() && bits[end].kind == Kind::Warp; ++end)
      warps.push_back(bits[end].bit);
    LogicalResult result = joinWarps(warps);
    done = end;
    return result;
  }

  /// Finds the input bit of each coordinate bit along the axis. It must be the only one, and have no other effect.
  LogicalResult findBits() {
    const std::string axis = dimName(op.getAxis());
    const std::pair<const char *, Kind> inputs[] = {
        {"register", Kind::Register}, {"lane", Kind::Lane}, {"warp", Kind::Warp}};
    bits.resize(layout.outBits(axis));
    uint32_t found = 0;
    for (auto [in, kind] : inputs)
      for (unsigned bit = 0; bit < layout.inBits(in); ++bit) {
        uint32_t along = layout.basis(in, bit, axis);
        if (along == 0)
          continue;
        if (!llvm::isPowerOf2_32(along) || (found & along) || !(sliced.zeroBasisMask(in) >> bit & 1))
          return op.emitOpError() << "bit " << bit << " of the " << in
                                  << " does not run along the axis alone; tawa-assign-layouts converts such an operand";
        found |= along;
        bits[llvm::Log2_32(along)] = AxisBit{kind, bit};
      }
    return success();
  }

  bool isCopy(uint32_t index) const { return index & copies.registers; }

  void load() {
    SmallVector<Values> operands;
    for (Value operand : op.getSrcs())
      operands.push_back(values.lookup(operand));
    for (size_t index = 0; index < operands.front().size(); ++index) {
      Element element;
      for (const Values &operand : operands)
        element.push_back(operand[index]);
      prefix.push_back(element);
      total.push_back(element);
    }
  }

  void store() {
    uint32_t same = layout.zeroBasisMask("register");
    for (auto [number, result] : llvm::enumerate(op.getResults())) {
      Values registers;
      for (uint32_t index = 0; index < prefix.size(); ++index)
        registers.push_back(prefix[index & ~same][number]);
      values[result] = std::move(registers);
    }
  }

  /// Registers that share a total form one block: their joined bits along the axis are zero in its leader.
  bool leadsBlock(uint32_t index) const { return !isCopy(index) && !(index & joined); }

  LogicalResult joinRegisters(unsigned bit) {
    uint32_t flag = 1u << bit;
    // Totals are kept at the registers that lead their block.
    for (uint32_t index = 0; index < prefix.size(); ++index) {
      bool isSecond = ((index & flag) != 0) != op.getReverse();
      if (isCopy(index) || !isSecond)
        continue;
      uint32_t first = (index & ~joined) ^ flag;
      FailureOr<Element> combined = combiner.combine(body, total[first], prefix[index]);
      if (failed(combined))
        return failure();
      prefix[index] = *combined;
    }
    for (uint32_t index = 0; index < prefix.size(); ++index) {
      if (!leadsBlock(index) || index & flag)
        continue;
      uint32_t first = op.getReverse() ? index | flag : index;
      FailureOr<Element> combined = combiner.combine(body, total[first], total[first ^ flag]);
      if (failed(combined))
        return failure();
      total[index] = *combined;
    }
    joined |= flag;
    return success();
  }

  Element choose(Value condition, const Element &yes, const Element &no) {
    Element result;
    for (auto [a, b] : llvm::zip(yes, no))
      result.push_back(builder.select(loc, condition, a, b));
    return result;
  }

  /// Prepends `before` to every element of the block that `leader` leads, in the threads where `condition` holds.
  LogicalResult precede(uint32_t leader, const Element &before, Value condition) {
    for (uint32_t index = 0; index < prefix.size(); ++index) {
      if (isCopy(index) || (index & ~joined) != leader)
        continue;
      FailureOr<Element> combined = combiner.combine(body, before, prefix[index]);
      if (failed(combined))
        return failure();
      prefix[index] = choose(condition, *combined, prefix[index]);
    }
    return success();
  }

  LogicalResult joinLanes(unsigned bit) {
    Value clear = builder.bitsAreClear(loc, thread.lane, 1u << bit);
    Value always = builder.create<arith::ConstantOp>(loc, builder.getBoolAttr(true));
    Value second = op.getReverse() ? clear : builder.create<arith::XOrIOp>(loc, clear, always).getResult();
    for (uint32_t index = 0; index < prefix.size(); ++index) {
      if (!leadsBlock(index))
        continue;
      Element other;
      for (Value value : total[index])
        other.push_back(builder.shuffle(loc, sm90::ShuffleMode::Bfly, value, builder.constant(loc, 1u << bit)).front());
      FailureOr<Element> combined =
          combiner.combine(body, choose(second, other, total[index]), choose(second, total[index], other));
      if (failed(combined) || failed(precede(index, other, second)))
        return failure();
      total[index] = *combined;
    }
    return success();
  }

  LogicalResult joinWarps(ArrayRef<unsigned> warpBits) {
    // The bits above in lanes and registers have totals of their own; those below share them.
    LinearLayout blocks = withoutJoined(warpBits);
    SmallVector<Element> leaders;
    SmallVector<uint32_t> leaderIndex;
    for (uint32_t index = 0; index < prefix.size(); ++index)
      if (leadsBlock(index)) {
        leaders.push_back(total[index]);
        leaderIndex.push_back(index);
      }
    WarpExchange exchange = combiner.openExchange(loc, blocks, warpBits, leaders);
    combiner.writeParts(loc, exchange, leaders);
    for (auto [number, index] : llvm::enumerate(leaderIndex)) {
      SmallVector<Element> parts;
      for (uint32_t part = 0; part < exchange.plan.parts; ++part)
        combiner.readPart(loc, exchange, number, total[index], part, parts);
      Value place = exchange.part;
      if (op.getReverse()) {
        std::reverse(parts.begin(), parts.end());
        place = builder.create<arith::XOrIOp>(loc, place, builder.constant(loc, exchange.plan.parts - 1));
      }
      Element running = parts.front(), before = parts.front();
      for (uint32_t part = 1; part < exchange.plan.parts; ++part) {
        if (part > 1) // parts up to the one before this thread's own
          before = choose(isAtLeast(place, part), running, before);
        FailureOr<Element> combined = combiner.combine(body, running, parts[part]);
        if (failed(combined))
          return failure();
        running = *combined;
      }
      if (failed(precede(index, before, isAtLeast(place, 1))))
        return failure();
      total[index] = running;
    }
    return success();
  }

  Value isAtLeast(Value number, uint32_t bound) {
    return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::uge, number, builder.constant(loc, bound));
  }

  /// The layout as an exchange of totals sees it: lanes whose axis bit was joined, and the exchanging warps, hold
  /// copies.
  LinearLayout withoutJoined(ArrayRef<unsigned> warpBits) const {
    std::vector<LinearLayout::InBases> bases;
    for (const LinearLayout::Dim &in : layout.ins()) {
      bases.push_back({in.name, {}});
      for (unsigned bit = 0; bit < in.bits; ++bit) {
        bool shared = (in.name == "lane" && joinedBefore(Kind::Lane, bit)) ||
                      (in.name == "warp" && (joinedBefore(Kind::Warp, bit) || llvm::is_contained(warpBits, bit)));
        LinearLayout::Basis basis = layout.basis(in.name, bit);
        bases.back().second.push_back(shared ? LinearLayout::Basis(basis.size(), 0) : basis);
      }
    }
    return LinearLayout(std::move(bases), layout.outs());
  }
  bool joinedBefore(Kind kind, unsigned bit) const {
    for (const AxisBit &axisBit : llvm::ArrayRef(bits).take_front(done))
      if (axisBit.kind == kind && axisBit.bit == bit)
        return true;
    return false;
  }

  MachineBuilder &builder;
  ValueMap &values;
  const ThreadPosition &thread;
  CombineEmitter &combiner;
  tt::ScanOp op;
  Location loc;
  Block &body;
  LinearLayout layout, sliced;
  Copies copies;
  SmallVector<AxisBit> bits;
  size_t done = 0;     ///< Steps before the one being made.
  uint32_t joined = 0; ///< Register bits of the steps done.
  SmallVector<Element> prefix, total;
};

LogicalResult ScanEmitter::lower(tt::ScanOp op) { return Scan(*this, op).run(); }

} // namespace tawa
