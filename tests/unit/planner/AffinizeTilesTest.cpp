// Tile programs against the reference evaluator: run alone, the program of each tile writes exactly the blocks that its
// stores name, and what lies outside of the blocks of its loads does not matter.
#include "tests/unit/planner/AffinizeTestSupport.h"

#include "compiler/reference/ReferenceKernel.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>

namespace tawa {
namespace {

constexpr ElementType F16 = ElementType::F16, F32 = ElementType::F32;
constexpr uint64_t kSteps = uint64_t(1) << 32;
/// Bits of an element of half or single precision.
constexpr uint32_t kOne[] = {0x3C00, 0x3F800000}, kNaN[] = {0x7E00, 0x7FC00000}, kUntouched[] = {0x7BCD, 0x7F123456};

/// A tensor argument in memory.
struct Memory {
  std::string name;
  ArgumentFacts facts;
  std::vector<std::byte> bytes;

  size_t elementSize() const { return elementBytes(facts.elementType); }
  int64_t count() const {
    int64_t elements = 1;
    for (int64_t extent : facts.shape)
      elements *= extent;
    return elements;
  }
  void set(int64_t element, const uint32_t (&bits)[2]) {
    uint32_t value = bits[elementSize() == 4];
    std::memcpy(bytes.data() + element * elementSize(), &value, elementSize());
  }
  void fill(const uint32_t (&bits)[2]) {
    bytes.resize(count() * elementSize());
    for (int64_t element = 0; element < count(); ++element)
      set(element, bits);
  }
  bool holds(int64_t element, const uint32_t (&bits)[2]) const {
    return std::memcmp(bytes.data() + element * elementSize(), &bits[elementSize() == 4], elementSize()) == 0;
  }
};

using Elements = std::set<int64_t>;

/// The elements inside of the tensor of a block that starts there.
void addBlock(const mesh::Tensor &tensor, const mesh::TileAccess &access, const std::vector<int64_t> &indices,
              Elements &elements) {
  for (int64_t position = 0; position < access.elements(); ++position) {
    int64_t rest = position, element = 0;
    bool isInside = true;
    for (size_t dim = tensor.shape.size(); dim-- > 0; rest /= access.block[dim]) {
      int64_t at = access.start[dim].at(indices) + rest % access.block[dim];
      isInside = isInside && at >= 0 && at < tensor.shape[dim];
      element += at * tensor.strides[dim];
    }
    if (isInside)
      elements.insert(element);
  }
}

/// The elements of a tensor that a tile's loads or stores touch, over all iterations of the loops around each.
Elements elementsOf(const mesh::TileProgram &program, const std::vector<mesh::TileProgram::Place> &places,
                    const std::string &tensor, int64_t tile) {
  Elements elements;
  for (const mesh::TileProgram::Place &place : places) {
    const mesh::TileAccess &access = place.step->access;
    if (program.tensors[access.tensor].name != tensor)
      continue;
    std::vector<int64_t> indices(program.indices.size());
    int64_t rest = tile;
    for (int dim = program.gridDims; dim-- > 0; rest /= program.indices[dim].extent)
      indices[dim] = rest % program.indices[dim].extent;
    int64_t iterations = 1;
    auto lengthOf = [&](int loop) {
      const mesh::Index &index = program.indices[loop];
      return index.trips ? index.trips->at(indices) : index.extent;
    };
    for (int loop : place.loops)
      iterations *= lengthOf(loop);
    for (int64_t iteration = 0; iteration < iterations; ++iteration) {
      int64_t left = iteration;
      for (int loop : place.loops) {
        indices[loop] = left % lengthOf(loop);
        left /= lengthOf(loop);
      }
      addBlock(program.tensors[access.tensor], access, indices, elements);
    }
  }
  return elements;
}

struct Case {
  std::string kernel;
  std::vector<std::pair<std::string, ArgumentFacts>> arguments;
  std::optional<std::array<uint32_t, 3>> grid;
  std::map<std::string, int64_t> tile;
};

class Launcher {
public:
  explicit Launcher(const Case &launched) : launched(launched) {
    for (const auto &[name, facts] : launched.arguments)
      memories.push_back({name, facts, {}});
  }

  void check();

private:
  void checkTile(int64_t tile);
  std::vector<reference::ReferenceArgument> arguments();

  const Case &launched;
  std::optional<AffineKernel> kernel;
  std::optional<reference::ReferenceKernel> reference;
  std::vector<Memory> memories;
};

std::vector<reference::ReferenceArgument> Launcher::arguments() {
  std::vector<reference::ReferenceArgument> list;
  for (Memory &memory : memories) {
    if (memory.facts.kind != LogicalArgument::Kind::Tensor) {
      list.push_back(memory.facts.kind == LogicalArgument::Kind::Constant
                         ? reference::ReferenceArgument::scalar(memory.facts.value)
                         : reference::ReferenceArgument::scalar(1.0));
      continue;
    }
    std::vector<int64_t> strides(memory.facts.shape.size(), 1);
    for (size_t dim = strides.size(); dim-- > 1;)
      strides[dim - 1] = strides[dim] * memory.facts.shape[dim];
    list.push_back(
        reference::ReferenceArgument::tensor(memory.bytes.data(), memory.bytes.size(), memory.facts.shape, strides));
  }
  return list;
}

void Launcher::checkTile(int64_t tile) {
  const mesh::TileProgram &program = kernel->program;
  std::vector<Elements> written;
  for (Memory &memory : memories) {
    written.push_back(elementsOf(program, program.stores(), memory.name, tile));
    if (memory.facts.kind != LogicalArgument::Kind::Tensor)
      continue;
    // What is not loaded would spoil every result that it takes part in.
    memory.fill(kNaN);
    for (int64_t element : elementsOf(program, program.loads(), memory.name, tile))
      memory.set(element, kOne);
    if (!written.back().empty())
      memory.fill(kUntouched);
  }
  std::vector<reference::ReferenceArgument> args = arguments();
  Status status = reference->runProgram(args, kernel->grid, kernel->programs[tile], kSteps);
  ASSERT_TRUE(status) << status.message();
  for (size_t i = 0; i < memories.size(); ++i)
    for (int64_t element = 0; !written[i].empty() && element < memories[i].count(); ++element) {
      ASSERT_EQ(written[i].contains(element), !memories[i].holds(element, kUntouched))
          << program.str() << memories[i].name << " " << element << " of tile " << tile;
      ASSERT_FALSE(memories[i].holds(element, kNaN)) << program.str() << memories[i].name << " " << element;
    }
}

void Launcher::check() {
  std::vector<ArgumentFacts> facts;
  for (const auto &[name, argument] : launched.arguments)
    facts.push_back(argument);
  Result<AffineKernel> found = affinizeText(kernelText(launched.kernel), facts, launched.grid, launched.tile);
  ASSERT_TRUE(found) << describe(found);
  kernel = std::move(*found);
  Result<reference::ReferenceKernel> read = reference::ReferenceKernel::read(kernel->text, "specialized.mlir");
  ASSERT_TRUE(read) << read.status().message();
  reference.emplace(std::move(*read));
  ASSERT_FALSE(kernel->program.stores().empty());
  for (int64_t tile = 0; tile < static_cast<int64_t>(kernel->programs.size()); ++tile)
    checkTile(tile);
}

std::vector<std::pair<std::string, ArgumentFacts>> named(const std::vector<std::string> &names,
                                                         const std::vector<ArgumentFacts> &facts) {
  std::vector<std::pair<std::string, ArgumentFacts>> arguments;
  for (size_t i = 0; i < names.size(); ++i)
    arguments.emplace_back(names[i], facts[i]);
  return arguments;
}

const std::vector<std::string> kGemm = {"a", "b", "c", "M", "N", "K"};

// Nine rows of tiles, one of them alone in its group; no side is a multiple of the tile's.
TEST(AffinizeTiles, Gemm) {
  Launcher({"gemm_param", named(kGemm, gemmArguments(530, 100, 136)), std::nullopt, {{"BLOCK_K", 32}}}).check();
}

TEST(AffinizeTiles, GemmThroughMaskedPointers) {
  std::vector<std::string> names = kGemm;
  std::vector<ArgumentFacts> facts = gemmArguments(256, 512, 256);
  for (auto [name, stride] : {std::pair{"sa", 256}, {"sb", 256}, {"sc", 512}}) {
    names.push_back(name);
    facts.push_back(integerFacts(stride));
  }
  Launcher({"gemm_ptr_masked", named(names, facts), std::array<uint32_t, 3>{4, 1, 1}, {}}).check();
}

TEST(AffinizeTiles, Attention) {
  ArgumentFacts rows = tensorFacts(F16, {512, 128});
  Launcher(
      {"attn_full",
       named({"q", "k", "v", "o", "lse", "scale", "L", "ROWS"},
             {rows, rows, rows, rows, tensorFacts(F32, {2, 256}), floatFacts(), integerFacts(256), integerFacts(512)}),
       std::array<uint32_t, 3>{2, 2, 1},
       {}})
      .check();
}

// Later rows read more keys; no other ones.
TEST(AffinizeTiles, CausalAttention) {
  ArgumentFacts rows = tensorFacts(F16, {768, 64});
  for (int64_t blockN : {32, 128})
    Launcher(
        {"attention/fwd_causal",
         named({"q", "k", "v", "o", "lse", "scale", "L", "HEADS"},
               {rows, rows, rows, rows, tensorFacts(F32, {768}), floatFacts(), integerFacts(384), integerFacts(2)}),
         std::nullopt,
         {{"BLOCK_M", 64}, {"BLOCK_N", blockN}, {"HEAD_DIM", 64}}})
        .check();
}

// Heads that share keys, of which the text computes only the quotient.
TEST(AffinizeTiles, GroupedQueryAttention) {
  ArgumentFacts q = tensorFacts(F16, {4, 128, 128}), k = tensorFacts(F16, {2, 128, 128});
  Launcher({"attention/grouped_query",
            named({"q", "k", "v", "o", "lse", "scale", "group", "L", "S"},
                  {q, k, k, q, tensorFacts(F32, {4, 128}), floatFacts(), integerFacts(2), integerFacts(128),
                   integerFacts(128)}),
            std::nullopt,
            {}})
      .check();
}

TEST(AffinizeTiles, Rows) {
  ArgumentFacts rows = tensorFacts(F16, {3, 4000}), columns = tensorFacts(F16, {4000});
  Launcher({"layernorm_rows",
            named({"x", "y", "w", "b", "stride", "cols", "eps"},
                  {rows, rows, columns, columns, integerFacts(4000), integerFacts(4000), floatFacts()}),
            std::array<uint32_t, 3>{3, 1, 1},
            {}})
      .check();
  ArgumentFacts vector = tensorFacts(F32, {3000});
  Launcher({"vec_add",
            named({"x", "y", "z", "n"}, {vector, vector, vector, integerFacts(3000)}),
            std::array<uint32_t, 3>{3, 1, 1},
            {}})
      .check();
}

} // namespace
} // namespace tawa
