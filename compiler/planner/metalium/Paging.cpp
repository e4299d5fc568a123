#include "compiler/planner/metalium/Paging.h"

#include <algorithm>

namespace tawa::metalium {
namespace {

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

bool isSupported(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 || type == ElementType::F32;
}

} // namespace

Paging::Paging(const mesh::CoreProgram &program, bool hasColumns, Refusals &refusals)
    : hasColumns(hasColumns), program(program), refusals(refusals) {
  for (const mesh::CircularBuffer &buffer : program.buffers)
    buffers.push_back({"cb_" + identifier(buffer.name), ElementType::F32, 0, 0, buffer.slots});
  for (const std::vector<mesh::Operation> &thread : program.threads)
    findRows(thread);
  for (const std::vector<mesh::Operation> &thread : program.threads)
    visit(thread);
}

void Paging::need(int &buffer, const char *name) {
  if (buffer >= 0)
    return;
  buffer = static_cast<int>(buffers.size());
  buffers.push_back({name, ElementType::BF16, 1, 1, 1});
}

int Paging::placesOf(const Places &multiples) {
  auto [found, isNew] = places.try_emplace(multiples, static_cast<int>(buffers.size()));
  if (isNew)
    buffers.push_back({"cb_places_" + std::to_string(found->second), ElementType::F32, 1, 1, 1});
  return found->second;
}

/// A tensor of which every block is a row of whole pages lies in such pages; one with another block, in tiles.
void Paging::findRows(const std::vector<mesh::Operation> &body) {
  auto note = [&](const mesh::TileAccess &access) {
    size_t rank = access.block.size();
    bool isRow = rank >= 2 && access.block[rank - 2] == 1 && access.block[rank - 1] % kTileElements == 0;
    if (rank >= 2 ? !isRow : hasColumns)
      inTiles.insert(access.tensor);
  };
  for (const mesh::Operation &operation : body) {
    if (auto *loop = std::get_if<mesh::Loop>(&operation.what))
      findRows(loop->body);
    else if (auto *branch = std::get_if<mesh::If>(&operation.what))
      findRows(branch->body);
    else if (auto *read = std::get_if<mesh::Read>(&operation.what))
      note(read->access);
    else if (auto *write = std::get_if<mesh::Write>(&operation.what))
      note(write->access);
  }
}

void Paging::visit(const std::vector<mesh::Operation> &body) {
  for (const mesh::Operation &operation : body) {
    if (auto *loop = std::get_if<mesh::Loop>(&operation.what))
      visit(loop->body);
    else if (auto *branch = std::get_if<mesh::If>(&operation.what))
      visit(branch->body);
    else if (auto *read = std::get_if<mesh::Read>(&operation.what))
      holds(read->buffer, read->access);
    else if (auto *write = std::get_if<mesh::Write>(&operation.what))
      holds(write->buffer, write->access);
    else if (auto *step = std::get_if<mesh::BufferStep>(&operation.what))
      checkRing(*step);
  }
}

void Paging::holds(int buffer, const mesh::TileAccess &access) {
  PagedBlock paged = block(access);
  buffers[buffer].type = program.tensors[access.tensor].type;
  buffers[buffer].rows = paged.rows;
  buffers[buffer].columns = paged.columns;
}

/// Addresses within what is reserved are counted from its first page, so that it may not wrap around.
void Paging::checkRing(const mesh::BufferStep &step) {
  if (step.kind != mesh::BufferStep::Kind::Reserve)
    return;
  const mesh::CircularBuffer &buffer = program.buffers[step.buffer];
  if (!step.tiles.isConstant() || step.tiles.constant <= 0 || buffer.slots % step.tiles.constant != 0)
    refusals.add(Refusal::Ring, buffer.name + " has " + std::to_string(buffer.slots) + " slots");
}

PagedTensor Paging::tensor(int number) const {
  const mesh::Tensor &tensor = program.tensors[number];
  PagedTensor paged;
  paged.pageBytes = kTileElements * elementBytes(tensor.type);
  if (!isSupported(tensor.type))
    refusals.add(Refusal::Element, tensor.name + " of " + std::string(elementName(tensor.type)));
  size_t rank = tensor.shape.size();
  paged.isOfRows = !inTiles.contains(number);
  if (paged.isOfRows) {
    paged.batch.assign(tensor.shape.begin(), tensor.shape.end() - (rank > 0 ? 1 : 0));
    paged.rows = 1;
    paged.columns = rank == 0 ? 1 : ceilDiv(tensor.shape[rank - 1], kTileElements);
    return paged;
  }
  paged.batch.assign(tensor.shape.begin(), tensor.shape.end() - static_cast<ptrdiff_t>(std::min<size_t>(rank, 2)));
  paged.rows = ceilDiv(tensor.shape[rank < 2 ? 0 : rank - 2], kTileSide);
  paged.columns = rank < 2 ? 1 : ceilDiv(tensor.shape[rank - 1], kTileSide);
  return paged;
}

mesh::Affine Paging::inUnits(const mesh::Affine &start, int64_t unit, const mesh::TileAccess &access) const {
  mesh::Affine units = start;
  bool aligned = start.constant % unit == 0;
  units.constant /= unit;
  for (int64_t &coefficient : units.coefficients) {
    aligned &= coefficient % unit == 0;
    coefficient /= unit;
  }
  if (!aligned)
    refusals.add(Refusal::Alignment, program.tensors[access.tensor].name + " from " + start.str(program.variables) +
                                         ", no multiple of " + std::to_string(unit));
  return units;
}

PagedBlock Paging::block(const mesh::TileAccess &access) const {
  PagedBlock paged;
  size_t rank = access.block.size();
  if (access.isMasked)
    refusals.add(Refusal::Mask, "of " + program.tensors[access.tensor].name);
  auto whole = [&](int64_t extent, int64_t unit) {
    if (extent % unit != 0)
      refusals.add(Refusal::Block, "a block of " + program.tensors[access.tensor].name + " of " +
                                       std::to_string(extent) + " elements, no multiple of " + std::to_string(unit));
    return extent / unit;
  };
  bool isOfRows = !inTiles.contains(access.tensor);
  size_t inside = std::min<size_t>(rank, isOfRows ? 1 : 2); // dimensions of a page
  for (size_t i = 0; i + inside < rank; ++i) {
    if (access.block[i] != 1)
      refusals.add(Refusal::Block, "a block of " + program.tensors[access.tensor].name + " with a batch of " +
                                       std::to_string(access.block[i]));
    paged.batch.push_back(access.start[i]);
  }
  paged.rows = paged.columns = 1;
  if (isOfRows && rank > 0) {
    paged.columns = whole(access.block[rank - 1], kTileElements);
    paged.column = inUnits(access.start[rank - 1], kTileElements, access);
  } else if (rank > 0) {
    paged.rows = whole(access.block[rank - inside], kTileSide);
    paged.row = inUnits(access.start[rank - inside], kTileSide, access);
    if (inside == 2) {
      paged.columns = whole(access.block[rank - 1], kTileSide);
      paged.column = inUnits(access.start[rank - 1], kTileSide, access);
    }
  }
  return paged;
}

} // namespace tawa::metalium
