#include "compiler/planner/metalium/Paging.h"

namespace tawa::metalium {
namespace {

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

bool isSupported(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 || type == ElementType::F32;
}

} // namespace

Paging::Paging(const mesh::CoreProgram &program, Refusals &refusals) : program(program), refusals(refusals) {
  for (const mesh::CircularBuffer &buffer : program.buffers)
    buffers.push_back({"cb_" + identifier(buffer.name), ElementType::F32, 0, 0, buffer.slots});
  for (const std::vector<mesh::Operation> &thread : program.threads)
    visit(thread);
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
  if (rank < 2) {
    paged.rows = 1;
    paged.columns = rank == 0 ? 1 : ceilDiv(tensor.shape[0], kTileElements);
    return paged;
  }
  paged.batch.assign(tensor.shape.begin(), tensor.shape.end() - 2);
  paged.rows = ceilDiv(tensor.shape[rank - 2], kTileSide);
  paged.columns = ceilDiv(tensor.shape[rank - 1], kTileSide);
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
  if (rank < 2) {
    paged.rows = 1;
    paged.columns = rank == 0 ? 1 : whole(access.block[0], kTileElements);
    paged.column = rank == 0 ? mesh::Affine() : inUnits(access.start[0], kTileElements, access);
    return paged;
  }
  for (size_t i = 0; i + 2 < rank; ++i) {
    if (access.block[i] != 1)
      refusals.add(Refusal::Block, "a block of " + program.tensors[access.tensor].name + " with a batch of " +
                                       std::to_string(access.block[i]));
    paged.batch.push_back(access.start[i]);
  }
  paged.rows = whole(access.block[rank - 2], kTileSide);
  paged.columns = whole(access.block[rank - 1], kTileSide);
  paged.row = inUnits(access.start[rank - 2], kTileSide, access);
  paged.column = inUnits(access.start[rank - 1], kTileSide, access);
  return paged;
}

} // namespace tawa::metalium
