//===- OpsMemory.td - pointers and the accesses through them ------------------------------------------------------===//
#ifndef TAWA_TT_OPS_MEMORY_TD
#define TAWA_TT_OPS_MEMORY_TD

include "compiler/frontend/TT/Enums.td"
include "compiler/frontend/TT/Types.td"

// Global memory is a resource of its own, so that accesses to it are not ordered with the shared memory and barriers of
// later phases.
def TT_GlobalMemory : Resource<"::tawa::tt::GlobalMemory">;

class TT_DefaultEnum<TT_Enum enum, string case>
    : DefaultValuedAttr<enum, "::tawa::tt::" # enum.className # "::" # case>;

def TT_AddPtrOp : TT_Op<"addptr", [Pure] # ElementwiseMappable.traits> {
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
  let summary = "read through a pointer, a tile of pointers or a block pointer";
  let description = [{
    `%v = tt.load %p, %mask, %other cacheModifier = cg evictionPolicy = evict_first {isVolatile = true}
     : tensor<64x!tt.ptr<f16>>`

    Where the mask is false nothing is accessed and the element is that of `other`; without `other` it is zero, which
    Triton leaves unspecified and kernels rely on.

    `%b = tt.load %bp {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<64x32xf16>>` reads the
    block at a block pointer. Along the dimensions of `boundaryCheck` indices are compared with the shape; an element
    outside of it reads as the padding: zero, or NaN.

    C1. the result has the pointer's shape with pointee elements, or is the block;
    C2. the mask has the pointer's shape with i1 elements;
    C3. `other` has the result's type and needs a mask;
    C4. the cache modifier is one that PTX has for loads: ca, cg, cv or none;
    C5. boundaryCheck and padding belong to block pointers, masks to the others; the dimensions checked are the
        block's, each once;
    C6. NaN padding needs floats.
  }];
  let arguments = (ins TT_AccessedPtr:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Value>:$other,
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
  let summary = "write through a pointer, a tile of pointers or a block pointer";
  let description = [{
    `tt.store %p, %v, %mask cacheModifier = wt : tensor<64x!tt.ptr<f16>>`

    Where the mask is false nothing is accessed. Where two elements name one address, either may win.

    C1. the value has the pointer's shape with pointee elements, or is the block;
    C2. the mask has the pointer's shape with i1 elements;
    C3. the cache modifier is one that PTX has for stores: wb, cg, cs, wt or none;
    C4. boundaryCheck belongs to block pointers, masks to the others; the dimensions checked are the block's, each
        once.
  }];
  let arguments = (ins Arg<TT_AccessedPtr, "", [MemWrite<TT_GlobalMemory>]>:$ptr, TT_Value:$value,
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

#endif
