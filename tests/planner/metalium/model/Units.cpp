// The model of a core's units: unpacker, matrix unit, vector unit, destination registers, packer.
#include "tests/planner/metalium/model/Model.h"
#include "tests/planner/metalium/model/Tiles.h"

#include "api/compute/bcast.h"
#include "api/compute/binary_max_min.h"
#include "api/compute/cb_api.h"
#include "api/compute/compute_kernel_api.h"
#include "api/compute/eltwise_binary_sfpu.h"
#include "api/compute/eltwise_unary/comp.h"
#include "api/compute/eltwise_unary/eltwise_unary.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/eltwise_unary/fill.h"
#include "api/compute/eltwise_unary/negative.h"
#include "api/compute/eltwise_unary/sqrt.h"
#include "api/compute/eltwise_unary/where.h"
#include "api/compute/matmul.h"
#include "api/compute/pack.h"
#include "api/compute/reconfig_data_format.h"
#include "api/compute/reduce.h"
#include "api/compute/reg_api.h"
#include "api/compute/tile_move_copy.h"

#include <array>
#include <cmath>
#include <limits>

using namespace metalium_model;

namespace {

enum class Phase { Free, Math, Committed, Pack };

/// Of one compute kernel.
struct Units {
  std::array<std::array<float, kTileElements>, kRegisters> registers;
  Phase phase = Phase::Free;
  tt::DataFormat unpackA{}, unpackB{}, pack{};
  bool isTransposed = false;              ///< The second operand of the matrix unit.
  std::string operation;                  ///< What the matrix unit is prepared for: "copy 3", "matmul 0 1".
  std::string function;                   ///< What the vector unit is prepared for.
  std::map<uint32_t, uint32_t> packed;    ///< Pages that were packed in order since the last push.
  std::array<bool, kRegisters> isWritten; ///< Since they were acquired.
  bool isReducing = false;                ///< The packer takes the first column or element only.
};
thread_local Units units;

tt::DataFormat formatOf(uint32_t buffer) { return bufferOf(buffer).format; }

std::array<float, kTileElements> &registerAt(uint32_t number) {
  require(units.phase == Phase::Math, "registers that are not acquired");
  require(number < kRegisters, "register " + std::to_string(number));
  units.isWritten[number] = true;
  return units.registers[number];
}

bool unpacksTo32(uint32_t buffer) {
  const auto &config = std::get<tt::tt_metal::ComputeConfig>(self().description->config);
  require(config.fp32_dest_acc_en, "registers of 16-bit elements");
  return buffer < config.unpack_to_dest_mode.size() &&
         config.unpack_to_dest_mode[buffer] == tt::tt_metal::UnpackToDestMode::UnpackToDestFp32;
}

/// Operands have 19 bits: 10 of the significand.
float asOperand(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value) & ~uint32_t(0x1fff);
  return std::bit_cast<float>(bits);
}

float elementAt(uint32_t number, uint32_t tile, size_t element, bool exact) {
  CircularBuffer &buffer = bufferOf(number);
  const char *page = localMemory(self().core->base + offsetAtFront(buffer) + tile * buffer.pageBytes);
  float value = loadElement(page, element, buffer.format);
  return exact ? value : asOperand(value);
}

void requireTile(uint32_t number, uint32_t tile) {
  require(tile < bufferOf(number).waited,
          "tile " + std::to_string(tile) + " of buffer " + std::to_string(number) + " was not waited for");
}

void binary(const char *name, uint32_t a, uint32_t b, uint32_t result, float (*function)(float, float)) {
  require(units.function == name, std::string(name) + " without its init");
  for (size_t i = 0; i < kTileElements; ++i)
    registerAt(result)[i] = function(registerAt(a)[i], registerAt(b)[i]);
}
void unary(const char *name, uint32_t number, float (*function)(float)) {
  require(units.function == name, std::string(name) + " without its init");
  for (float &value : registerAt(number))
    value = function(value);
}

void pack(uint32_t from, uint32_t number, uint32_t tile) {
  require(units.phase == Phase::Pack, "packing of registers that were not waited for");
  require(from < kRegisters, "register " + std::to_string(from));
  require(units.pack == formatOf(number), "the packer has another format");
  CircularBuffer &buffer = bufferOf(number);
  require(tile < buffer.reserved, "packing to a page that is not reserved");
  char *page = localMemory(self().core->base + offsetAtBack(buffer) + tile * buffer.pageBytes);
  for (size_t i = 0; i < kTileElements; ++i)
    storeElement(page, i, buffer.format, units.registers[from][i]);
}

/// The matrix unit's operands, as `operation` has prepared them.
void requireOperands(const std::string &operation, uint32_t a, uint32_t b, uint32_t tileA, uint32_t tileB) {
  require(units.operation == operation, operation + " without its init");
  require(units.unpackA == formatOf(a) && units.unpackB == formatOf(b), "the unpacker has another format");
  require(!unpacksTo32(a) && !unpacksTo32(b), "operands that are unpacked to registers");
  requireTile(a, tileA);
  requireTile(b, tileB);
}

std::string pairOf(const char *name, uint32_t a, uint32_t b) {
  return std::string(name) + " " + std::to_string(a) + " " + std::to_string(b);
}

/// The first row of each face has the factors, the rest is zero.
float factorOf(uint32_t scaler, uint32_t tile) {
  float factor = elementAt(scaler, tile, 0, false);
  for (size_t i = 0; i < kTileElements; ++i)
    require(elementAt(scaler, tile, i, false) == (i % (kFaceSide * kFaceSide) < kFaceSide ? factor : 0),
            "the factors of a reduction are not in the first rows of faces");
  return factor;
}

std::string matmulOf(uint32_t a, uint32_t b) { return "matmul " + std::to_string(a) + " " + std::to_string(b); }

} // namespace

void metalium_model::resetCompute() { units = {}; }

void tile_regs_acquire() {
  require(units.phase == Phase::Free, "registers are acquired twice");
  units.phase = Phase::Math;
  units.registers = {};
  units.isWritten = {};
}
void tile_regs_commit() {
  require(units.phase == Phase::Math, "commit without acquire");
  units.phase = Phase::Committed;
}
void tile_regs_wait() {
  require(units.phase == Phase::Committed, "wait without commit");
  units.phase = Phase::Pack;
  units.packed.clear();
}
void tile_regs_release() {
  require(units.phase == Phase::Pack, "release without wait");
  units.phase = Phase::Free;
}

void pack_tile_in_order(uint32_t from, uint32_t number) { pack(from, number, units.packed[number]++); }
void pack_tile_to(uint32_t from, uint32_t number, uint32_t tile) { pack(from, number, tile); }
void pack_reconfig_data_format(uint32_t number) { units.pack = formatOf(number); }

void reconfig_data_format(uint32_t a, uint32_t b) {
  units.unpackA = formatOf(a);
  units.unpackB = formatOf(b);
}
void reconfig_data_format_srca(uint32_t a) { units.unpackA = formatOf(a); }

void init_sfpu(uint32_t from, uint32_t to) {
  units.unpackA = formatOf(from);
  units.pack = formatOf(to);
  units.operation = "copy " + std::to_string(from);
}
void copy_tile_to_dst_init_short(uint32_t number, uint32_t) { units.operation = "copy " + std::to_string(number); }
void copy_tile(uint32_t number, uint32_t tile, uint32_t to) {
  require(units.operation == "copy " + std::to_string(number), "copy_tile without its init");
  require(units.unpackA == formatOf(number), "the unpacker has another format");
  requireTile(number, tile);
  for (size_t i = 0; i < kTileElements; ++i)
    registerAt(to)[i] = elementAt(number, tile, i, unpacksTo32(number));
}

void mm_init(uint32_t a, uint32_t b, uint32_t to, uint32_t transpose) {
  reconfig_data_format(b, a);
  units.pack = formatOf(to);
  mm_init_short(a, b, transpose);
}
void mm_init_short(uint32_t a, uint32_t b, uint32_t transpose) {
  units.isTransposed = transpose != 0;
  units.operation = matmulOf(a, b);
}
void matmul_tiles(uint32_t a, uint32_t b, uint32_t tileA, uint32_t tileB, uint32_t to) {
  require(units.operation == matmulOf(a, b), "matmul_tiles without its init");
  require(units.unpackA == formatOf(b) && units.unpackB == formatOf(a), "the unpacker has another format");
  require(!unpacksTo32(a) && !unpacksTo32(b), "operands that are unpacked to registers");
  requireTile(a, tileA);
  requireTile(b, tileB);
  static thread_local float left[kTileSide][kTileSide], right[kTileSide][kTileSide];
  for (size_t r = 0; r < kTileSide; ++r)
    for (size_t c = 0; c < kTileSide; ++c) {
      left[r][c] = elementAt(a, tileA, elementOfTile(r, c), false);
      right[r][c] = elementAt(b, tileB, units.isTransposed ? elementOfTile(c, r) : elementOfTile(r, c), false);
    }
  for (size_t r = 0; r < kTileSide; ++r)
    for (size_t c = 0; c < kTileSide; ++c) {
      float sum = 0;
      for (size_t k = 0; k < kTileSide; ++k)
        sum += left[r][k] * right[k][c];
      registerAt(to)[elementOfTile(r, c)] += sum;
    }
}

void reduce_init_of(PoolType, ReduceDim dim, uint32_t a, uint32_t scaler, uint32_t to) {
  units.operation = pairOf(dim == ReduceDim::REDUCE_ROW ? "reduce rows" : "reduce all", a, scaler);
  units.isReducing = true;
  require(units.pack == formatOf(to), "the packer has another format");
}
void reduce_uninit() { units.isReducing = false; }

/// What is no result is left undefined. An unwritten register takes no part in a maximum.
void reduce_tile_of(PoolType type, ReduceDim dim, uint32_t a, uint32_t scaler, uint32_t tile, uint32_t tileOfScaler,
                    uint32_t to) {
  bool isOfRows = dim == ReduceDim::REDUCE_ROW;
  requireOperands(pairOf(isOfRows ? "reduce rows" : "reduce all", a, scaler), a, scaler, tile, tileOfScaler);
  require(units.isReducing, "reduce_tile after reduce_uninit");
  float factor = factorOf(scaler, tileOfScaler);
  bool isFirst = !units.isWritten[to];
  std::array<float, kTileElements> &result = registerAt(to);
  std::array<float, kTileElements> before = result;
  result.fill(std::numeric_limits<float>::quiet_NaN());
  for (size_t r = 0; r < kTileSide; ++r) {
    float &sum = result[isOfRows ? elementOfTile(r, 0) : 0];
    bool starts = isOfRows || r == 0;
    if (starts)
      sum = type == PoolType::MAX ? -std::numeric_limits<float>::infinity() : 0;
    if (starts && !isFirst)
      sum = before[isOfRows ? elementOfTile(r, 0) : 0];
    for (size_t c = 0; c < kTileSide; ++c) {
      float value = elementAt(a, tile, elementOfTile(r, c), false) * factor;
      sum = type == PoolType::MAX ? std::max(sum, value) : sum + value;
    }
  }
}

void mul_bcast_cols_init_short(uint32_t a, uint32_t b) { units.operation = pairOf("bcast columns", a, b); }
void mul_tiles_bcast_scalar_init_short(uint32_t a, uint32_t b) { units.operation = pairOf("bcast scalar", a, b); }

/// Adds to the register.
void mul_tiles_bcast_of(BroadcastType type, uint32_t a, uint32_t b, uint32_t tileA, uint32_t tileB, uint32_t to) {
  require(type == BroadcastType::COL || type == BroadcastType::SCALAR, "a broadcast of another kind");
  requireOperands(pairOf(type == BroadcastType::COL ? "bcast columns" : "bcast scalar", a, b), a, b, tileA, tileB);
  for (size_t r = 0; r < kTileSide; ++r)
    for (size_t c = 0; c < kTileSide; ++c) {
      float repeated = elementAt(b, tileB, type == BroadcastType::COL ? elementOfTile(r, 0) : 0, false);
      registerAt(to)[elementOfTile(r, c)] += elementAt(a, tileA, elementOfTile(r, c), false) * repeated;
    }
}

void fill_tile_init() { units.function = "fill"; }
void fill_tile(uint32_t number, float value) {
  require(units.function == "fill", "fill without its init");
  registerAt(number).fill(value);
}

#define BINARY(NAME, EXPRESSION)                                                                                       \
  void NAME##_tile_init() { units.function = #NAME; }                                                                  \
  void NAME##_tile(uint32_t a, uint32_t b, uint32_t to) {                                                              \
    binary(#NAME, a, b, to, [](float x, float y) { return EXPRESSION; });                                              \
  }
#define UNARY(NAME, EXPRESSION)                                                                                        \
  void NAME##_tile_init() { units.function = #NAME; }                                                                  \
  void NAME##_tile(uint32_t number) {                                                                                  \
    unary(#NAME, number, [](float x) { return EXPRESSION; });                                                          \
  }
BINARY(add_binary, x + y)
BINARY(sub_binary, x - y)
BINARY(mul_binary, x *y)
BINARY(div_binary, x / y)
BINARY(binary_max, std::max(x, y))
BINARY(binary_min, std::min(x, y))
UNARY(abs, std::abs(x))
UNARY(log, std::log(x))
UNARY(tanh, std::tanh(x))
UNARY(exp, std::exp(x))
UNARY(exp2, std::exp2(x))
UNARY(sqrt, std::sqrt(x))
UNARY(negative, -x)
UNARY(ltz, x < 0 ? 1.0f : 0.0f)

void where_tile_init() { units.function = "where"; }
void where_fp32_tile(uint32_t condition, uint32_t a, uint32_t b, uint32_t to) {
  require(units.function == "where", "where without its init");
  for (size_t i = 0; i < kTileElements; ++i)
    registerAt(to)[i] = registerAt(condition)[i] != 0 ? registerAt(a)[i] : registerAt(b)[i];
}
