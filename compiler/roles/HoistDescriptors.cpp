// HoistDescriptors: turns descriptors that the kernel makes from its parameters into parameters, whose tensor maps the
// launch builds.
//
//   tt.func @k(%a: !tt.ptr<f16> {tawa.argument = #tawa.part<pointer, index = 0, ..>}, %m: i32 ..) {
//     %d = tt.make_tensor_descriptor %a, [%m, %m], [%ld, %c1]
// becomes a parameter
//   %d: !tt.tensordesc<..> {tawa.argument = #tawa.part<descriptor, index = 0, dimension = 0>,
//                           tawa.descriptor = #tawa.description<offset = "", shape = ["a1", "a1"], ..>}
//
// Roles make the others themselves where TMA uses them (tawa.make_descriptor).
#include "compiler/analysis/LaunchExpression.h"
#include "compiler/analysis/LogicalArguments.h"
#include "compiler/roles/Passes.h"
#include "compiler/roles/Tawa/Tawa.h"
#include "compiler/support/Debug.h"

#include "mlir/IR/BuiltinOps.h"

#define DEBUG_TYPE "tawa-hoist-descriptors"

using namespace mlir;

namespace tawa {
#define GEN_PASS_DEF_HOISTDESCRIPTORS
#include "compiler/roles/Passes.h.inc"

namespace {

ws::DescriptionAttr describe(Builder &builder, const LaunchDescriptor &descriptor) {
  auto strings = [&](ArrayRef<std::string> list) {
    return llvm::map_to_vector(list, [&](const std::string &text) { return builder.getStringAttr(text); });
  };
  return ws::DescriptionAttr::get(builder.getContext(), builder.getStringAttr(descriptor.offset),
                                  strings(descriptor.shape), strings(descriptor.strides), descriptor.padsWithNaN);
}

/// The parameter for a descriptor; two of the same type and description share one.
Value parameterFor(tt::FuncOp func, tt::MakeTensorDescOp make, const LaunchDescriptor &descriptor) {
  Builder builder(func.getContext());
  auto role = writeParameterRole(builder, {ParameterRole::Part::Descriptor, descriptor.argument, 0});
  ws::DescriptionAttr description = describe(builder, descriptor);
  for (BlockArgument argument : func.getArguments())
    if (argument.getType() == make.getType() && ws::kArgumentAttr.get(func, argument.getArgNumber()) == role &&
        ws::kDescriptorAttr.get(func, argument.getArgNumber()) == description)
      return argument;
  unsigned index = func.getNumArguments();
  func.insertArgument(
      index, make.getType(),
      builder.getDictionaryAttr({ws::kArgumentAttr.named(role), ws::kDescriptorAttr.named(description)}),
      make.getLoc());
  return func.getArgument(index);
}

struct HoistDescriptorsPass : impl::HoistDescriptorsBase<HoistDescriptorsPass> {
  void runOnOperation() override {
    tt::FuncOp func = findKernel(getOperation());
    if (!func)
      return signalPassFailure();
    WalkResult result = func.walk([&](tt::MakeTensorDescOp make) {
      if (make->use_empty())
        return unused.at(make), make.erase(), WalkResult::advance();
      auto descriptor = launchDescriptor(make);
      if (!descriptor)
        return make.emitOpError() << "is used by TMA, but depends on what only the kernel knows",
               WalkResult::interrupt();
      hoisted.at(make);
      make.replaceAllUsesWith(parameterFor(func, make, *descriptor));
      make.erase();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
    func.walk([&](ws::MakeDescriptorOp make) {
      if (make->use_empty()) { // everything went through pointers
        unused.at(make);
        make.erase();
      }
    });
  }
};

} // namespace
} // namespace tawa
