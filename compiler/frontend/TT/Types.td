//===- Types.td - types of the tt dialect, and the type constraints of its operations -----------------------------===//
#ifndef TAWA_TT_TYPES_TD
#define TAWA_TT_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "compiler/frontend/TT/Dialect.td"

class TT_Type<string name, string typeMnemonic> : TypeDef<TT_Dialect, name> {
  let mnemonic = typeMnemonic;
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

def TT_PointerType : TT_Type<"Pointer", "ptr"> {
  let summary = "address of one element in memory";
  let description = [{
    Holds an address, 8 bytes wide, of a value of the pointee type: an integer, a float or another pointer. Address
    space 1 (global memory) is the default and is not printed: `!tt.ptr<f16>`, `!tt.ptr<i8, 0>`.

    `!tt.ptr<tensor<128x64xf16>>` is a block pointer (`.source` text up to Triton 3.6): a tensor in memory with the
    place of one block in it, made by `tt.make_tensor_ptr`. It is no address, and no tensor holds it.

    C1. the pointee is an integer, a float, a pointer to one of these, or a tensor of integers or floats;
    C2. the address space is not negative;
    C3. the rules T1 and T2 of the dialect hold for a pointee that is a tensor.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType, CArg<"int", "1">:$addressSpace), [{
    return $_get(pointeeType.getContext(), pointeeType, addressSpace);
  }]>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// The block of a block pointer; null for a pointer to an element.
    ::mlir::RankedTensorType getBlockType() { return ::llvm::dyn_cast<::mlir::RankedTensorType>(getPointeeType()); }
  }];
}

def TT_TensorDescType : TT_Type<"TensorDesc", "tensordesc"> {
  let summary = "description of a tensor in global memory, through which blocks of one shape are moved";
  let description = [{
    Holds base, shape and strides of a tensor in global memory (a CUtensorMap on Hopper); the type says the shape of
    the block that one load or store moves. Elements may be signed or unsigned, which only descriptors say; the tensors
    loaded through them are signless.

    `!tt.tensordesc<tensor<128x64xf16>>` (3.3 to 3.6, and how it is printed here) and `!tt.tensordesc<128x64xf16>`
    (3.7 and later) are the same type.

    C1. the block has rank 1 to 5, the ranks that a tensor map has;
    C2. its elements are integers or floats;
    C3. the rules T1 and T2 of the dialect hold for it.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$blockType), [{
    return $_get(blockType.getContext(), blockType);
  }]>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// The block as a loaded tensor has it: elements without a sign.
    ::mlir::RankedTensorType getSignlessBlockType();
  }];
}

// Scalars and tensors of them. Floats are listed, so that a type no phase can lower is refused by the verifier.
def TT_Float : AnyTypeOf<[F8E4M3FN, F8E5M2, F16, BF16, F32, F64], "float">;
def TT_Int : AnyTypeOf<[I1, I8, I16, I32, I64], "integer">;
def TT_IsBlockPtr
    : CPred<"::llvm::isa<::tawa::tt::PointerType>($_self) && "
            "::llvm::cast<::tawa::tt::PointerType>($_self).getBlockType()">;
def TT_BlockPtr : Type<TT_IsBlockPtr, "block pointer", "::tawa::tt::PointerType">;
def TT_ElementPtr
    : Type<And<[TT_PointerType.predicate, Neg<TT_IsBlockPtr>]>, "pointer to an element", "::tawa::tt::PointerType">;
def TT_Scalar : AnyTypeOf<[TT_Float, TT_Int, TT_ElementPtr], "scalar">;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_ElementPtr]>;
def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_NumberTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_Value : AnyTypeOf<[TT_Scalar, TT_Tensor], "scalar or tensor">;
def TT_Number : AnyTypeOf<[TT_Float, TT_Int, TT_NumberTensor], "number or tensor of numbers">;
def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor], "float or tensor of floats">;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor], "integer or tensor of integers">;
def TT_I64Like : AnyTypeOf<[I64, RankedTensorOf<[I64]>], "i64 or tensor of i64">;
def TT_BoolLike : AnyTypeOf<[I1, RankedTensorOf<[I1]>], "i1 or tensor of i1">;
def TT_PtrLike : AnyTypeOf<[TT_ElementPtr, RankedTensorOf<[TT_ElementPtr]>], "pointer or tensor of pointers">;
def TT_AccessedPtr : AnyTypeOf<[TT_PtrLike, TT_BlockPtr], "pointer, tensor of pointers or block pointer">;

#endif
