// The steps of random programs; internal to the generator. Each adds a few lines and at least one value, or nothing
// where it does not apply.
#pragma once

#include "tests/conformance/TextBuilder.h"
#include "tests/conformance/TileProgram.h"

#include <functional>
#include <map>

namespace tawa::conformance {

class ProgramBuilder : public TextBuilder {
public:
  explicit ProgramBuilder(std::mt19937 &random) : TextBuilder(random) {}

  TileProgram finish(uint32_t dataSeed);
  std::string configuration() const;

  /// One random step; `depth` counts the regions around it.
  void step(unsigned depth);
  void steps(size_t count, unsigned depth);
  void storeResults();
  void begin();

private:
  //===--- Values that a step needs (GeneratorValues.cpp)
  ElementType someType();
  Shape someShape();
  Shape sameElements(int64_t count);
  Name tensor(ElementType type, const Shape &shape);
  Name convert(const Name &from, ElementType type);
  Name bounded(const Name &from, double limit);
  Name positive(const Name &from);
  Name splat(const Name &scalar, const Shape &shape);
  Name range(int64_t count);
  Name broadcast(const Name &from, const Shape &shape);
  Name someTensor();
  Name scalar(ElementType type);
  Name binary(const char *op, const Name &a, const Name &b, double size = 0);
  Name masked(const Name &from, int64_t mask);
  Name condition(const Shape &shape);
  const Name *inScope(ElementType type, const Shape &shape);

  //===--- Memory (GeneratorMemory.cpp)
  /// Row-major or permuted offsets of a tile's elements, every one below `limit`; distinct ones with `distinct`.
  Name offsets(const Shape &shape, int64_t limit, bool distinct);
  Name load(ElementType type, const Shape &shape);
  void store(const Name &given);
  std::string inputOf(ElementType type);
  std::string newOutput(ElementType type, int64_t elements);
  std::string movedBase(const std::string &base, ElementType type, const Name &distance);
  std::string pointersAt(const std::string &base, ElementType type, const Name &offset);
  void gatherLoad();
  void atomic();

  //===--- Blocks of tensors in memory (GeneratorBlocks.cpp)
  /// A tensor in memory that blocks are taken of: sizes, strides and base as texts of scalars in scope.
  struct Surface {
    ElementType type;
    std::string base;
    Shape block;
    Shape size;
    Shape strides;
  };
  Surface someSurface(bool forTma);
  std::string scalars(ElementType type, const Shape &values, std::string prefix = "");
  std::string descriptorOf(const Surface &surface);
  void blockPointerStep();
  void descriptorStep();
  void descriptorRowsStep();
  void descriptorStoreStep();
  void callStep();

  //===--- Steps on tiles (GeneratorTiles.cpp)
  void integerStep();
  void floatStep();
  void compareStep();
  void conversionStep();
  void shapeStep();
  void reduceStep();
  void argReduceStep();
  void scanStep();
  void gatherStep();
  void histogramStep();
  void dotStep();
  void mapStep();
  void scalarStep();
  std::string region(ElementType type, const char *terminator, double &size, int64_t length);

  //===--- Steps with regions (GeneratorControl.cpp)
  void forStep(unsigned depth);
  void ifStep(unsigned depth);
  void whileStep(unsigned depth);
  void memoryStep(unsigned depth);
  void gemmStep();
  Name tileNumber();
  void tmaGemmStep();

  //===--- Loops of products for roles (GeneratorProducts.cpp)
  enum class LoopKind { For, Counts, Reads };
  /// Gives the text of one round, and what it makes of the carried tile.
  using RoundText = std::function<Name(const Name &number, const Name &carried)>;
  LoopKind someLoop();
  Name carriedThrough(LoopKind kind, const Name &init, const RoundText &round);
  Name loadTile(ElementType type, const Name &where, const std::string &base, const Name &number, int64_t step);
  Name product(const Name &a, const Name &b, const Name &c);
  void attentionStep();
  void conditionGemmStep();

  //===--- Products with operands that are made in their loop (GeneratorOperands.cpp)
  struct Rows {
    Name count;            ///< Of the result, i32.
    Name numbers;          ///< Of the result's rows, and which of them there are.
    Name inside, loaded;   ///< Numbers of the rows that are loaded.
    bool isMasked = false; ///< Only rows inside are loaded.
  };
  enum class WeightKind { Bytes, Fp8, Words, Nibbles, Floats };
  Name cast(const std::string &op, const Name &from, ElementType type, double size);
  Name numbersAlong(const Shape &tile, size_t along);
  Name spread(const Name &vector, const Shape &tile, size_t along);
  Name argument(const std::string &prefix, int64_t value);
  Name less(const Name &a, const Name &b);
  Name loadWhere(ElementType type, const Name &where, const std::string &base, const Name &mask);
  Rows someRows(int64_t rows);
  Name weights(WeightKind kind, ElementType type, const Shape &shape, const Name &number);
  Name scaledWeights(const Name &plain, const Name &number);
  Name blockScaled(const Name &sum, const Rows &rows, const Name &number);
  void storeRows(const Name &value, const Rows &rows);
  void operandGemmStep();

  std::string arguments;  ///< As printed.
  std::string launchArgs; ///< As in a run line.
  std::map<ElementType, std::string> inputs;
  int outputs = 0;
  int64_t programs = 1;
  bool hasSpecial = false; ///< Infinities and NaNs among the inputs.
  Name program;            ///< The number of this program, i32.
  std::string config;      ///< Without what follows.
  // Of the one loop that may be split into roles; 0: there is none yet.
  size_t slots = 0, inFlight = 0, ahead = 0;
  int consumers = 0;
  int64_t slotBytes = 0; ///< Of one slot of every loop of products.
  std::string tiles;     ///< Of the configuration: how CTAs come to tiles.
  std::string functions; ///< Private ones, after the kernel.
};

} // namespace tawa::conformance
