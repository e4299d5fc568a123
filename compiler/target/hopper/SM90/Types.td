// Types of sm90: a tensor map, and a warp group's accumulator before and after it may be read.
#ifndef TAWA_DIALECT_SM90_TYPES_TD
#define TAWA_DIALECT_SM90_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/target/hopper/SM90/Dialect.td"

class SM90_Type<string name, string typeMnemonic> : TypeDef<SM90_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def SM90_TensorMap : SM90_Type<"TensorMap", "tensormap"> {
  let summary = "a CUtensorMap: a kernel parameter, or made by the kernel in global memory";
  let description = [{
    128 opaque bytes, aligned to 64. As an argument of a kernel they are passed by value and constant for the whole grid;
    `tensormap_at` names those at an address. TMA wants the map in parameter, constant or global memory, and a copy in local
    memory would not do.
  }];
}

class SM90_Fragment<string name, string typeMnemonic> : SM90_Type<name, typeMnemonic> {
  let parameters = (ins "int64_t":$m, "int64_t":$n, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "int64_t":$n, "::mlir::Type":$elementType), [{
    return $_get(elementType.getContext(), 64, n, elementType);
  }]>];
  let extraClassDeclaration = [{
    /// 32-bit registers each of the 128 threads holds: n/2, or n/4 for the packed f16 form.
    int64_t getNumRegisters() const { return getElementType().isF16() ? getN() / 4 : getN() / 2; }
    /// Type of one register as a scalar: f32 for f32, i32 for i32 and for the packed f16 form.
    ::mlir::Type getRegisterType() const;
  }];
}

def SM90_Inflight : SM90_Fragment<"Inflight", "inflight"> {
  let summary = "an accumulator that wgmma may be writing";
  let description = [{
    One warp group's 64 x n accumulator, named by the registers in which it lives, while wgmma instructions may still be
    writing them. It can be passed on (to wgmma, to a wait, through loops and branches) and never looked at. Because it
    names registers in place, a value of this type has exactly one use on every path.

    Constraints:
    C1: m is 64, n a multiple of 8 from 8 to 256.
    C2: the element is f32, f16 or i32.
  }];
}

def SM90_Accumulator : SM90_Fragment<"Accumulator", "accumulator"> {
  let summary = "an accumulator that may be read";
  let description = [{
    The same registers once every wgmma that wrote them is known to be finished: only a `wgmma_wait` that covers them
    (or `pack`, from plain values) gives one. An ordinary SSA value: it may be used any number of times.
    Element (row, column) sits where the PTX ISA, "Register fragments for wgmma" (D fragment), says.
    Constraints C1 and C2 of `!sm90.inflight` hold.
  }];
}

def SM90_AnyFragment : AnyTypeOf<[SM90_Inflight, SM90_Accumulator]>;

#endif // TAWA_DIALECT_SM90_TYPES_TD
