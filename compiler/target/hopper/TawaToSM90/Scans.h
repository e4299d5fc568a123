// Emits scans along an axis (tt.scan).
#pragma once

#include "compiler/target/hopper/TawaToSM90/Combine.h"

namespace tawa {

class ScanEmitter : public Emitter {
public:
  ScanEmitter(RoleContext &context, CombineEmitter &combiner) : Emitter(context), combiner(combiner) {}
  mlir::LogicalResult lower(tt::ScanOp op);

private:
  class Scan;
  CombineEmitter &combiner;
};

} // namespace tawa
