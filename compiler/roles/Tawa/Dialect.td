// The tawa dialect: warp-specialized roles joined by asynchronous references (README.md tells the phases).
#ifndef TAWA_DIALECT_TD
#define TAWA_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Tawa_Dialect : Dialect {
  let name = "tawa";
  let cppNamespace = "::tawa::ws";
  let summary = "Roles, asynchronous references and asynchronous dots";
  let description = [{
    A tile program split into warp-specialized roles. Roles run at the same time in one CTA and exchange tiles only
    through arefs: rings of slots, each slot a buffer with a `full` and an `empty` barrier (Tawa paper, section III.B).
    Tensors stay values here; which registers or bytes hold them is said by a `#tawa.linear` encoding from phase 7 on.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1; // Attributes.def
  let hasRegionArgAttrVerify = 1;
}

class Tawa_Type<string name, string typeMnemonic> : TypeDef<Tawa_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tawa_ArefType : Tawa_Type<"Aref", "aref"> {
  let summary = "a ring of asynchronous references";
  let description = [{
    `!tawa.aref<D, [T0, T1, ...]>` holds D slots. A slot holds one value of each payload type, and two barriers shared
    by all of them: `full` (the slot may be read) and `empty` (the slot may be written). D is the paper's ring depth.
    A ring holds either tiles or one number.

    Constraints:
    - C1: 1 <= D <= 32.
    - C2: the payload is not empty and every payload type is a ranked tensor of static shape, or it is a single i32.
  }];
  let parameters = (ins "unsigned":$depth, ArrayRefParameter<"::mlir::Type">:$payload);
  let assemblyFormat = "`<` $depth `,` `[` $payload `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// A number instead of tiles.
    bool holdsNumber() const;
  }];
}

def Tawa_InflightType : Tawa_Type<"Inflight", "inflight"> {
  let summary = "a tensor that asynchronous dots may still be writing";
  let description = [{
    `!tawa.inflight<tensor<..>>` is an accumulator handed to the tensor cores. It cannot be read: only `tawa.dot_wait` with
    `pendings = 0` gives the tensor back, so reading it too early cannot be written down.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
}

def Tawa_LinearAttr : AttrDef<Tawa_Dialect, "Linear"> {
  let mnemonic = "linear";
  let summary = "where the elements of a tensor are: a linear map over GF(2)";
  let description = [{
    The one layout of the compiler (compiler/layouts/algebra/README.md). The input dimensions are either `register`, `lane`, `warp`
    (a tensor in registers; `warp` counts from the first warp of the role) or `offset` (a tile in shared memory, counted in
    elements). Each input bit lists the tensor coordinate it adds, combined by exclusive or:

    ```mlir
    #tawa.linear<[16, 8], register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []>
    ```
    The leading list is the tensor's shape.
  }];
  let parameters = (ins
    ArrayRefParameter<"int32_t">:$shape,
    ArrayRefParameter<"::mlir::StringAttr">:$dims,
    ArrayRefParameter<"int32_t">:$bits,
    ArrayRefParameter<"int32_t">:$bases);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static LinearAttr get(::mlir::MLIRContext *context, const ::tawa::LinearLayout &layout);
    ::tawa::LinearLayout getLayout() const;
    /// True for a tile in shared memory.
    bool isShared() const;
  }];
}

def Tawa_TargetAttr : AttrDef<Tawa_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "the GPU that a module is compiled for";
  let description = [{
    Architecture and limits of a GPU, under the keys of hardware descriptions (runtime/hardware/gpus). A module carries
    it as `tawa.target` from its text on; a module without it is for the default description.

    ```mlir
    module attributes {tawa.target = #tawa.target<"sm_90a", shared_per_block = 232448, ...>}
    ```

    Constraints:
    - C1: the architecture is written as PTX does.
    - C2: every limit is there and positive.
  }];
  let parameters = (ins StringRefParameter<>:$architecture, ArrayRefParameter<"int64_t">:$limits);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = "::tawa::Target getTarget() const;";
}

#endif
