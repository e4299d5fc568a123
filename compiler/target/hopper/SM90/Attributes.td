// Attributes of sm90 with fields. Where they stand on operations is in Attributes.def.
#ifndef TAWA_DIALECT_SM90_ATTRIBUTES_TD
#define TAWA_DIALECT_SM90_ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "compiler/target/hopper/SM90/Enums.td"

// The numbers are those of CUtensorMapSwizzle.
def SM90_TensorMapSwizzleEnum : SM90_Enum<"TensorMapSwizzle", "the bytes within which TMA permutes chunks of 16", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"B32", 1, "b32">, I32EnumAttrCase<"B64", 2, "b64">,
  I32EnumAttrCase<"B128", 3, "b128">]>;

def SM90_TensorMapAttr : AttrDef<SM90_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "how a launch builds the tensor map of a parameter";
  let description = [{
    The fields of TensorMapRecipe (runtime/artifact/KernelArtifact.h): the logical argument with the tensor, the elements
    that one copy moves, innermost dimension first, and their swizzle. A tensor that the kernel describes itself has
    `described`.

    `#sm90.tensor_map<argument = 0, box = [32, 64], element = f16, swizzle = b64>`

    Constraints, those of the driver (cuTensorMapEncodeTiled):
    C1: the box has 1 to 5 dimensions of 1 to 256 elements.
    C2: elements are integers or floats of 8, 16, 32 or 64 bits.
    C3: the innermost dimension has a multiple of 16 bytes, and no more than the swizzle spans.
  }];
  let parameters = (ins "uint32_t":$argument, ArrayRefParameter<"uint32_t">:$box, "::mlir::Type":$element,
                        "TensorMapSwizzle":$swizzle, OptionalParameter<"::tawa::ws::DescriptionAttr">:$described);
  let assemblyFormat = [{
    `<` `argument` `=` $argument `,` `box` `=` `[` $box `]` `,` `element` `=` $element `,` `swizzle` `=` $swizzle
    (`,` `described` `=` $described^)? `>`
  }];
  let genVerifyDecl = 1;
}

#endif // TAWA_DIALECT_SM90_ATTRIBUTES_TD
