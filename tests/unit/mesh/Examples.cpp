#include "tests/unit/mesh/Examples.h"

namespace tawa::mesh::examples {
namespace {

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

TileStep step(TileStep::Kind kind, TileAccess access) {
  TileStep made;
  made.kind = kind;
  made.access = std::move(access);
  return made;
}

TileStep matrix(int64_t m, int64_t n, int64_t k, std::vector<int> operands) {
  TileStep made;
  made.op = {.name = "tt.dot", .unit = Unit::Matrix, .m = m, .n = n, .k = k, .operands = std::move(operands)};
  return made;
}

TileStep vector(const char *name, int64_t elements, std::vector<int> operands) {
  TileStep made;
  made.op = {.name = name, .unit = Unit::Vector, .elements = elements, .operands = std::move(operands)};
  return made;
}

TileStep loop(int index, std::vector<TileStep> body) {
  TileStep made;
  made.kind = TileStep::Kind::Loop;
  made.index = index;
  made.body = std::move(body);
  return made;
}

/// The ring to the next core along dimension `dim` of two.
Network ring(const char *name, const Machine &machine, int dim) {
  Network network;
  network.name = name;
  for (int i = 0; i < 2; ++i) {
    Coordinate next{{{i == 0, i == 1}, i == dim}, 1, i == dim ? machine.dims[dim].size : 0};
    network.map.push_back(next);
  }
  network.bandwidth = 28;
  network.hopLatency = 9;
  network.multicasts = true;
  return network;
}

} // namespace

Machine grid(int64_t rows, int64_t columns) {
  Machine machine;
  machine.name = "grid";
  machine.clock = 1e9;
  machine.dims = {{"y", rows}, {"x", columns}};
  machine.coreDims = {0, 1};
  machine.matrix = MatrixUnit{32, 32, 32, 1.0 / 64, 1};
  machine.vector = VectorUnit{32, 1, 1};
  machine.scalar = ScalarUnit{1};
  // Channels are an array over a dimension of their own.
  machine.dims.push_back({"channel", ceilDiv(rows * columns, 4)});
  machine.memories = {{"l1", {0, 1}, 1536 << 10, 64, 4}, {"dram", {2}, int64_t(1) << 30, 18, 200}};
  machine.networks = {ring("noc_h", machine, 1), ring("noc_v", machine, 0)};
  Mux channels;
  channels.name = "dram_port";
  channels.to = {1};
  channels.map = {{{{columns, 1}, 0}, 4, 0}};
  channels.bandwidth = 28;
  Mux local;
  local.name = "l1_port";
  local.to = {0};
  local.map = {{{{1, 0}, 0}}, {{{0, 1}, 0}}};
  local.bandwidth = 64;
  machine.muxes = {channels, local};
  machine.launchCycles = 1000;
  machine.messageCycles = 40;
  machine.semaphoreCycles = 20;
  return machine;
}

TileProgram gemm(const GemmSizes &s) {
  TileProgram program;
  program.name = "gemm";
  program.indices = {{"m", ceilDiv(s.m, s.blockM)}, {"n", ceilDiv(s.n, s.blockN)}, {"k", ceilDiv(s.k, s.blockK)}};
  program.gridDims = 2;
  program.tensors = {{"a", {s.m, s.k}, {s.k, 1}, ElementType::F16},
                     {"b", {s.k, s.n}, {s.n, 1}, ElementType::F16},
                     {"c", {s.m, s.n}, {s.n, 1}, ElementType::F16}};
  Affine m{{s.blockM, 0, 0}}, n{{0, s.blockN, 0}}, k{{0, 0, s.blockK}};
  TileStep a = step(TileStep::Kind::Load, {0, {s.blockM, s.blockK}, {m, k}, 0});
  TileStep b = step(TileStep::Kind::Load, {1, {s.blockK, s.blockN}, {k, n}, 1});
  TileStep c = step(TileStep::Kind::Store, {2, {s.blockM, s.blockN}, {m, n}, 0});
  program.body = {loop(2, {a, b, matrix(s.blockM, s.blockN, s.blockK, {0, 1})}), c};
  program.carriedBytes = s.blockM * s.blockN * 4;
  return program;
}

TileProgram attention(const AttentionSizes &s) {
  TileProgram program;
  program.name = "attention";
  program.indices = {{"h", s.heads}, {"q", ceilDiv(s.queries, s.blockQ)}, {"k", ceilDiv(s.keys, s.blockK)}};
  program.gridDims = 2;
  for (auto [name, rows] : {std::pair{"q", s.queries}, {"k", s.keys}, {"v", s.keys}, {"o", s.queries}})
    program.tensors.push_back({name, {s.heads, rows, s.width}, {rows * s.width, s.width, 1}, ElementType::F16});
  Affine h{{1, 0, 0}}, q{{0, s.blockQ, 0}}, k{{0, 0, s.blockK}}, zero;
  TileStep loadQ = step(TileStep::Kind::Load, {0, {1, s.blockQ, s.width}, {h, q, zero}, 0});
  TileStep loadK = step(TileStep::Kind::Load, {1, {1, s.blockK, s.width}, {h, k, zero}, 1});
  TileStep loadV = step(TileStep::Kind::Load, {2, {1, s.blockK, s.width}, {h, k, zero}, 2});
  TileStep store = step(TileStep::Kind::Store, {3, {1, s.blockQ, s.width}, {h, q, zero}, 0});
  int64_t scores = s.blockQ * s.blockK;
  program.body = {loadQ,
                  loop(2, {loadK, matrix(s.blockQ, s.blockK, s.width, {0}), vector("softmax", 4 * scores, {1}), loadV,
                           matrix(s.blockQ, s.width, s.blockK, {2, 3})}),
                  store};
  program.carriedBytes = s.blockQ * s.width * 4;
  return program;
}

} // namespace tawa::mesh::examples
