// Records of descriptions (MachineMaps.h): a role compares the description it needs with the last one it wrote, and
// writes its map only where they differ. After the branch the map therefore exists and has these words:
//
//   differs = or of (load_shared record[i] != word[i])
//   if differs { store_shared record[i], word[i]; tensormap_write map, ... made of words ...; }
//
// provided that nothing else writes the record, and that its initial content differs from every description.
#include "compiler/target/hopper/prover/MachineMaps.h"

#include "compiler/roles/prover/RoleProgram.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tawa::verify {

namespace {

constexpr int64_t kWordBytes = 8;

struct RecordReader {
  MachineKernel &kernel;
  MachineRole &role;
  sm90::TensormapWriteOp write;
  std::map<int64_t, Value> words; ///< By byte.
  MapRecord record;

  bool read();

private:
  bool findGuard();
  bool readComparison(Value differs);
  bool readStores();
  bool readStart();
  bool isMadeOfWords();
};

} // namespace

/// Finds the branch that does more than select the executing thread.
bool RecordReader::findGuard() {
  for (Operation *op = write; op->getBlock() != role.body; op = op->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(op->getParentOp());
    if (!branch)
      return false;
    if (kernel.choosesThreads(role, branch.getCondition()))
      continue;
    record.guard = branch;
    return !branch.elseBlock();
  }
  return false;
}

bool RecordReader::readComparison(Value differs) {
  if (auto either = differs.getDefiningOp<arith::OrIOp>())
    return readComparison(either.getLhs()) && readComparison(either.getRhs());
  auto compare = differs.getDefiningOp<arith::CmpIOp>();
  auto kept = compare ? compare.getLhs().getDefiningOp<sm90::LoadSharedOp>() : sm90::LoadSharedOp();
  if (!kept || compare.getPredicate() != arith::CmpIPredicate::ne || kept->getBlock() != record.guard->getBlock() ||
      kept.getPredicate() || !compare.getLhs().getType().isInteger(64))
    return false;
  Place place = role.places.of(kept->getOperand(0));
  bool isKnown = place.isOneByte() && !place.number;
  return isKnown && words.try_emplace(place.low, compare.getRhs()).second;
}

/// The thread that writes the map also stores every compared word.
bool RecordReader::readStores() {
  llvm::DenseSet<int64_t> kept;
  for (auto store : write->getBlock()->getOps<sm90::StoreSharedOp>()) {
    Place place = role.places.of(store.getAddress());
    auto word = words.find(place.low);
    bool isWord = place.isOneByte() && !place.number && word != words.end() && !store.getPredicate() &&
                  store.getValues().size() == 1 && store.getValues()[0] == word->second;
    if (!isWord)
      continue;
    kept.insert(place.low);
    record.stores.insert(store);
  }
  for (auto [byte, word] : words)
    record.bytes.push_back({byte, byte + kWordBytes});
  record.bytes = normalize(std::move(record.bytes));
  return kept.size() == words.size();
}

/// Whether a compared word can equal `value`.
static bool canBe(Value word, int64_t value) {
  if (auto constant = constantValue(word))
    return *constant == value;
  auto extended = word.getDefiningOp<arith::ExtUIOp>();
  return !extended || !extended.getIn().getType().isInteger(32) || (value >= 0 && value <= int64_t(UINT32_MAX));
}

/// The thread that initializes the barriers (MachineFrame.cpp) sets one word to a value that no description has there.
bool RecordReader::readStart() {
  SharedAddresses everywhere(kernel.threads, 0, kernel.info.threads, kernel.cluster());
  bool starts = false;
  kernel.func.walk([&](sm90::StoreSharedOp store) {
    auto word = words.find(everywhere.of(store.getAddress()).low);
    bool isSetup = !store->getBlock()->getOps<sm90::MBarrierInitOp>().empty() && !store.getPredicate();
    auto value = isSetup && store.getValues().size() == 1 ? constantValue(store.getValues()[0]) : std::nullopt;
    if (!value || word == words.end())
      return;
    starts |= !canBe(word->second, *value);
    record.stores.insert(store);
  });
  return starts;
}

/// Every part of the description is among the words or constant.
bool RecordReader::isMadeOfWords() {
  auto isWordOr = [&](Value value, llvm::function_ref<bool(Value)> isMadeOf) {
    return constantValue(value) || llvm::any_of(words, [&](const auto &word) { return isMadeOf(word.second); });
  };
  auto isExtended = [&](Value size) {
    return isWordOr(size, [&](Value word) {
      auto extended = word.getDefiningOp<arith::ExtUIOp>();
      return extended && extended.getIn() == size;
    });
  };
  bool hasBase = isWordOr(write.getBase(), [&](Value word) {
    auto address = word.getDefiningOp<LLVM::PtrToIntOp>();
    return address && address.getArg() == write.getBase();
  });
  return hasBase && llvm::all_of(write.getSizes(), isExtended) && llvm::all_of(write.getStrides(), [&](Value stride) {
           return isWordOr(stride, [&](Value word) { return word == stride; });
         });
}

bool RecordReader::read() {
  return findGuard() && readComparison(record.guard.getCondition()) && readStores() && readStart() && isMadeOfWords();
}

MapRecord recordOf(MachineKernel &kernel, MachineRole &role, sm90::TensormapWriteOp write) {
  RecordReader reader{kernel, role, write, {}, {}};
  return reader.read() ? std::move(reader.record) : MapRecord();
}

} // namespace tawa::verify
