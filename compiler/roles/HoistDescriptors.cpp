// HoistDescriptors: descriptors that the kernel makes from its parameters become parameters, whose tensor maps the
// launch builds.
//
//   tt.func @k(%a: !tt.ptr<f16> {tawa.argument = {index = 0, ..}}, %m: i32 {tawa.argument = {index = 1, ..}}) {
//     %d = tt.make_tensor_descriptor %a, [%m, %m], [%ld, %c1]
// becomes a parameter
//   %d: !tt.tensordesc<..> {tawa.argument = {index = 0, part = "descriptor", dimension = 0},
//                           tawa.descriptor = {offset = "", shape = ["a1", "a1"], strides = ["a1", "1"], nan = false}}
//
// What the launch cannot make, roles make themselves (tawa.make_descriptor), where TMA goes by it.
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

DictionaryAttr describe(Builder &builder, const LaunchDescriptor &descriptor) {
  auto strings = [&](ArrayRef<std::string> list) {
    return builder.getStrArrayAttr(SmallVector<StringRef>(list.begin(), list.end()));
  };
  return builder.getDictionaryAttr({builder.getNamedAttr("offset", builder.getStringAttr(descriptor.offset)),
                                    builder.getNamedAttr("shape", strings(descriptor.shape)),
                                    builder.getNamedAttr("strides", strings(descriptor.strides)),
                                    builder.getNamedAttr("nan", builder.getBoolAttr(descriptor.padsWithNaN))});
}

/// The parameter for a descriptor; two of the same type and description share one.
Value parameterFor(tt::FuncOp func, tt::MakeTensorDescOp make, const LaunchDescriptor &descriptor) {
  Builder builder(func.getContext());
  auto role = writeParameterRole(builder, {ParameterRole::Part::Descriptor, descriptor.argument, 0});
  DictionaryAttr description = describe(builder, descriptor);
  for (BlockArgument argument : func.getArguments())
    if (argument.getType() == make.getType() && func.getArgAttr(argument.getArgNumber(), ws::kArgumentAttr) == role &&
        func.getArgAttr(argument.getArgNumber(), kDescriptorAttr) == description)
      return argument;
  unsigned index = func.getNumArguments();
  func.insertArgument(index, make.getType(),
                      builder.getDictionaryAttr({builder.getNamedAttr(ws::kArgumentAttr, role),
                                                 builder.getNamedAttr(kDescriptorAttr, description)}),
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
