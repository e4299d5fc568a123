// Executes one role of a state, instruction by instruction.
#pragma once

#include "compiler/roles/prover/RoleRules.h"

namespace tawa::verify {

class RoleRunner {
public:
  RoleRunner(llvm::ArrayRef<RoleProgram> programs, RoleRules &rules) : programs(programs), rules(rules) {}

  /// Executes the next instruction of a role. An instruction that blocks or asks for a choice is repeated later.
  RoleStep step(RoleWorld &world, unsigned role);
  const RoleInstruction &at(const RoleWorld &world, unsigned role) const {
    const RoleFrame &frame = world.roles[role].frames.back();
    return programs[role].block(frame.block).code[frame.index];
  }

private:
  // Numbers
  Amount read(const RoleWorld &world, unsigned role, int operand) const;
  llvm::SmallVector<Amount> readAll(const RoleWorld &world, unsigned role, llvm::ArrayRef<int> operands) const;
  /// The tile number of a put, get, release or read.
  Amount readNumber(const RoleWorld &world, unsigned role, const TileNumber &number, Channel channel,
                    bool isNext) const;
  void define(RoleWorld &world, unsigned role, int slot, const Amount &amount) const;

  // Loops and branches
  void forgetInside(RoleWorld &world, unsigned role, int block) const;
  /// Whether there is an iteration beyond the first `skipped`; none: a choice is needed.
  std::optional<bool> hasMore(RoleWorld &world, unsigned role, int choice, int rounds);
  RoleStep ask(RoleWorld &world, unsigned role, int choice) {
    world.roles[role].asks = choice;
    return RoleStep::Asks;
  }
  RoleStep askAboutRounds(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep askAboutIteration(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep enterLoop(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep stepAtHead(RoleWorld &world, unsigned role);
  RoleStep enterBranch(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep leaveBlock(RoleWorld &world, unsigned role);

  // Events
  RoleStep execute(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  RoleStep executeEvent(RoleRules::Actor actor, const RoleInstruction &instruction);
  /// The operands of an event, and the tiles that it reads besides.
  llvm::SmallVector<Amount> readTiles(const RoleWorld &world, unsigned role, const RoleInstruction &instruction) const;
  RoleStep readOrIssue(RoleRules::Actor actor, const RoleInstruction &instruction);
  RoleStep checkReadable(RoleWorld &world, unsigned role, const RoleInstruction &instruction);
  void defineResults(RoleWorld &world, unsigned role, const RoleInstruction &instruction);

  llvm::ArrayRef<RoleProgram> programs;
  RoleRules &rules;
};

} // namespace tawa::verify
