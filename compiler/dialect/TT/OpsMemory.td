//===- OpsMemory.td - pointers, tensor descriptors and the accesses through them ----------------------------------===//
#ifndef TAWA_TT_OPS_MEMORY_TD
#define TAWA_TT_OPS_MEMORY_TD

include "compiler/dialect/TT/Enums.td"
include "compiler/dialect/TT/Types.td"

// Global memory is a resource of its own, so that accesses to it never order with shared memory and barriers, which
// later phases put beside them.
def TT_GlobalMemory : Resource<"::tawa::tt::GlobalMemory">;

class TT_DefaultEnum<TT_Enum enum, string case>
    : DefaultValuedAttr<enum, "::tawa::tt::" # enum.className # "::" # case>;

def TT_AddPtrOp : TT_Op<"addptr", [Pure]> {
  let summary = "pointer plus offset";
  let description = [{
    `%q = tt.addptr %p, %i : tensor<64x!tt.ptr<f16>>, tensor<64xi32>`: the offset counts elements and is signed.

    C1. pointer and offset have the same shape;
    C2. the result has the pointer's type.
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$offset), [{
    build($_builder, $_state, ptr.getType(), ptr, offset);
  }]>];
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` custom<PairTypes>(type($ptr), type($result)) `,` type($offset)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_LoadOp : TT_Op<"load", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "read through a pointer or a tile of pointers";
  let description = [{
    `%v = tt.load %p, %mask, %other cacheModifier = cg evictionPolicy = evict_first {isVolatile = true}
     : tensor<64x!tt.ptr<f16>>`

    Where the mask is false nothing is accessed and the element is that of `other`; without `other` it is zero, which
    Triton leaves unspecified and kernels rely on.

    C1. the result has the pointer's shape with pointee elements;
    C2. the mask has the pointer's shape with i1 elements;
    C3. `other` has the result's type and needs a mask;
    C4. the cache modifier is one that PTX has for loads: ca, cg, cv or none;
    C5. boundaryCheck and padding belong to block pointers, which are refused; so are they.
  }];
  let arguments = (ins TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Value>:$other,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck,
                       OptionalAttr<TT_PaddingOption>:$padding,
                       TT_DefaultEnum<TT_CacheModifier, "None">:$cache,
                       TT_DefaultEnum<TT_EvictionPolicy, "Normal">:$evict,
                       DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Value:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, CArg<"::mlir::Value", "{}">:$mask,
                                 CArg<"::mlir::Value", "{}">:$other)>];
  let assemblyFormat = [{
    $ptr (`,` $mask^ (`,` $other^)?)? `` custom<CachePolicy>($cache, $evict) attr-dict `:`
    custom<LoadTypes>(ref($mask), ref($other), type($ptr), type($mask), type($other), type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_StoreOp : TT_Op<"store"> {
  let summary = "write through a pointer or a tile of pointers";
  let description = [{
    `tt.store %p, %v, %mask cacheModifier = wt : tensor<64x!tt.ptr<f16>>`

    Where the mask is false nothing is accessed. Where two elements name one address, either may win.

    C1. the value has the pointer's shape with pointee elements;
    C2. the mask has the pointer's shape with i1 elements;
    C3. the cache modifier is one that PTX has for stores: wb, cg, cs, wt or none;
    C4. boundaryCheck belongs to block pointers, which are refused; so is it.
  }];
  let arguments = (ins Arg<TT_PtrLike, "", [MemWrite<TT_GlobalMemory>]>:$ptr, TT_Value:$value,
                       Optional<TT_BoolLike>:$mask,
                       DefaultValuedAttr<DenseI32ArrayAttr, "{}">:$boundaryCheck,
                       TT_DefaultEnum<TT_CacheModifier, "None">:$cache,
                       TT_DefaultEnum<TT_EvictionPolicy, "Normal">:$evict);
  let builders = [OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$value), [{
    build($_builder, $_state, ptr, value, /*mask=*/::mlir::Value());
  }]>];
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? `` custom<CachePolicy>($cache, $evict) attr-dict `:`
    custom<StoreTypes>(ref($mask), type($ptr), type($value), type($mask))
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "describe a tensor in global memory";
  let description = [{
    `%d = tt.make_tensor_descriptor %base, [%m, %k], [%ld, %c1] {padding = 2 : i32} : <f16>, <tensor<128x64xf16>>`

    Shape (i32) and strides (i64) count elements, outermost dimension first; the last stride is taken to be 1. Padding
    says what reads outside of the shape give: zero or NaN. The types after the colon may be printed in full too.

    C1. there are as many shape operands and as many stride operands as the block has dimensions;
    C2. the base points at elements of the block, whatever their sign;
    C3. NaN padding needs floats.
  }];
  let arguments = (ins TT_PointerType:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                       TT_DefaultEnum<TT_PaddingOption, "Zero">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)";
  let hasVerifier = 1;
}

def TT_DescriptorLoadOp : TT_Op<"descriptor_load"> {
  let summary = "read one block of a described tensor";
  let description = [{
    `%t = tt.descriptor_load %d[%i, %k] cacheModifier = cg
     : !tt.tensordesc<tensor<128x64xf16>> -> tensor<128x64xf16>`

    The indices are the element offsets of the block's first corner; they may be negative or past the end, and what
    lies outside of the tensor reads as the descriptor's padding.

    C1. there is one index for each dimension of the block;
    C2. block and result agree but for leading dimensions of size 1, so that their element counts agree, and have the
        same element type but for the sign;
    C3. the cache modifier is one that PTX has for loads.
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<TT_GlobalMemory>]>:$desc, Variadic<I32>:$indices,
                       TT_DefaultEnum<TT_CacheModifier, "None">:$cache,
                       TT_DefaultEnum<TT_EvictionPolicy, "Normal">:$evict);
  let results = (outs TT_NumberTensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` `` custom<CachePolicy>($cache, $evict) attr-dict `:`
    qualified(type($desc)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorStoreOp : TT_Op<"descriptor_store"> {
  let summary = "write one block of a described tensor";
  let description = [{
    `tt.descriptor_store %d[%i, %k], %t : !tt.tensordesc<tensor<128x64xf16>>, tensor<128x64xf16>`

    What lies outside of the tensor is not written.

    C1. there is one index for each dimension of the block;
    C2. block and value agree but for leading dimensions of size 1, and have the same element type but for the sign.
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemWrite<TT_GlobalMemory>]>:$desc, Variadic<I32>:$indices,
                       TT_NumberTensor:$src);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
  let hasVerifier = 1;
}

#endif
