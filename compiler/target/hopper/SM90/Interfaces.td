// The interface of sm90 operations that carry a predicate.
#ifndef TAWA_DIALECT_SM90_INTERFACES_TD
#define TAWA_DIALECT_SM90_INTERFACES_TD

include "mlir/IR/OpBase.td"

def SM90_PredicatedInterface : OpInterface<"PredicatedOpInterface"> {
  let cppNamespace = "::tawa::sm90";
  let description = [{
    An instruction with an optional predicate (`if %p`): a thread whose predicate is false does not execute it, and its
    results, if any, are zero. On PTX the predicate is part of the instruction, never a branch.
  }];
  let methods = [
    InterfaceMethod<"The predicate, null where there is none.", "::mlir::Value", "getPredicateValue", (ins), [{
      return $_op.getPredicate();
    }]>,
    InterfaceMethod<"Drops the predicate: the instruction is executed always.", "void", "clearPredicate", (ins), [{
      $_op.getPredicateMutable().clear();
    }]>];
}

#endif // TAWA_DIALECT_SM90_INTERFACES_TD
