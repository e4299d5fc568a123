// The three threads of a core, from a plan's nest and its placed loads. Internal to the lowering of plans.
#pragma once

#include "runtime/mesh/core/PlanNest.h"

namespace tawa::mesh {

/// What the threads are made of. Buffer i is load i's; buffer loads.size() + i is store i's.
struct ThreadInput {
  const TileProgram &program;
  const PlanNest &nest;
  const std::vector<PlacedLoad> &loads;
  CoreProgram &core;

  int storeBuffer(int store) const { return static_cast<int>(loads.size()) + store; }
  /// The load, or store, of a step of the body.
  int loadOf(const TileStep &step) const;
  int storeOf(const TileStep &step) const;
  /// Loads issued inside so many wave loops and before the body.
  std::vector<int> loadsAtWave(int depth) const;
  /// Loads that the step at `depth` loops of the body issues: itself, or those hoisted out of it.
  std::vector<int> loadsAt(const TileStep &step, int depth) const;
};

void lowerReader(const ThreadInput &input);
void lowerCompute(const ThreadInput &input);
void lowerWriter(const ThreadInput &input);

using Operations = std::vector<Operation>;

template <typename Kind> void append(Operations &body, Kind what) { body.push_back({std::move(what)}); }

/// Appends a loop, or what is inside where it always has one iteration or nothing in it.
void appendLoop(Operations &body, const NestLoop &loop, Operations inside);
/// Appends under guards (to the operations before, where they have the same), or plainly where there are none.
void appendGuarded(Operations &body, const std::vector<Guard> &guards, Operations inside);
/// Appends a wave loop of the nest.
void appendWave(Operations &body, const PlanNest &nest, int depth, Operations inside);
BufferStep bufferStep(BufferStep::Kind kind, int buffer, Affine tiles);
Affine constant(int64_t value);

} // namespace tawa::mesh
