// Enumerations and attributes with fields of the tawa dialect. Where they stand on operations is in Attributes.def.
#ifndef TAWA_ATTRIBUTES_TD
#define TAWA_ATTRIBUTES_TD

include "compiler/roles/Tawa/Dialect.td"
include "mlir/IR/EnumAttr.td"

class Tawa_Enum<string name, string enumSummary, list<I32EnumAttrCase> enumCases>
    : I32EnumAttr<name, enumSummary, enumCases> {
  let cppNamespace = "::tawa::ws";
}

class Tawa_Attr<string name, string attrMnemonic> : AttrDef<Tawa_Dialect, name> {
  let mnemonic = attrMnemonic;
}

// The names and numbers of runtime/artifact/RoleKind.h.
def Tawa_RoleKind : Tawa_Enum<"RoleKind", "what a role does", [
  I32EnumAttrCase<"Producer", 0, "producer">, I32EnumAttrCase<"Consumer", 1, "consumer">,
  I32EnumAttrCase<"Converter", 2, "converter">, I32EnumAttrCase<"Main", 3, "main">]>;

def Tawa_RolesAttr : Tawa_Attr<"Roles", "roles"> {
  let summary = "kinds of roles, in the order of their numbers";
  let description = [{
    `#tawa.roles<producer, consumer>` on an operation: both run it. None: `#tawa.roles<>`.
  }];
  let parameters = (ins ArrayRefParameter<"RoleKind">:$kinds);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool contains(RoleKind kind) const { return ::llvm::is_contained(getKinds(), kind); }
  }];
}

def Tawa_ParameterPart : Tawa_Enum<"ParameterPart", "part of a logical argument, or what only a launch knows", [
  I32EnumAttrCase<"Descriptor", 0, "descriptor">, I32EnumAttrCase<"Shape", 1, "shape">,
  I32EnumAttrCase<"Stride", 2, "stride">, I32EnumAttrCase<"Pointer", 3, "pointer">, I32EnumAttrCase<"Scalar", 4, "scalar">,
  I32EnumAttrCase<"Grid", 5, "grid">, I32EnumAttrCase<"Scratch", 6, "scratch">, I32EnumAttrCase<"Workspace", 7, "workspace">,
  I32EnumAttrCase<"Programs", 8, "programs">]> {
  let genSpecializedAttr = 0;
}

def Tawa_PartAttr : Tawa_Attr<"Part", "part"> {
  let summary = "what a parameter is to the caller";
  let description = [{
    `#tawa.part<stride, index = 1, dimension = 0>`: the outermost stride of logical argument 1. `grid`, `programs`, `scratch`
    and `workspace` belong to none: the launch tells how far the grid extends that CTAs walk themselves (`dimension` is the
    axis), or how many programs were asked for where more are started, and where the memory is that CTAs have for tensor maps
    of their own, and for parts of sums.
  }];
  let parameters = (ins "ParameterPart":$part, "unsigned":$index, "unsigned":$dimension);
  let assemblyFormat = "`<` $part `,` `index` `=` $index `,` `dimension` `=` $dimension `>`";
}

def Tawa_Flag : AttrOrTypeParameter<"bool", "true or false"> {
  let printer = "$_printer << ($_self ? \"true\" : \"false\")";
}

def Tawa_DescriptionAttr : Tawa_Attr<"Description", "description"> {
  let summary = "a tensor that the text describes itself, in expressions over the launch";
  let description = [{
    Sizes and strides in elements, outermost first, and the offset from the address of the argument. `nan`: what lies outside of the
    tensor reads as NaN instead of 0.

    `#tawa.description<offset = "", shape = ["a1", "a2"], strides = ["a2", "1"], nan = false>`
  }];
  let parameters = (ins "::mlir::StringAttr":$offset, ArrayRefParameter<"::mlir::StringAttr">:$shape,
                        ArrayRefParameter<"::mlir::StringAttr">:$strides, Tawa_Flag:$nan);
  let assemblyFormat = [{
    `<` `offset` `=` $offset `,` `shape` `=` `[` $shape `]` `,` `strides` `=` `[` $strides `]` `,` `nan` `=` $nan `>`
  }];
}

def Tawa_RingAttr : Tawa_Attr<"Ring", "ring"> {
  let summary = "what a slot of a ring costs and is good for";
  let description = [{
    The fields of RingWork (runtime/artifact/RingSlots.h): bytes of a slot, slots that hide latency, bytes of tiles that are
    transposed; whether it is filled in a loop, and in one around the loop that fills another ring.
  }];
  let parameters = (ins "int64_t":$bytes, "int64_t":$useful, "int64_t":$transposed, Tawa_Flag:$repeats, Tawa_Flag:$outer);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tawa_TileOrder : Tawa_Enum<"TileOrder", "how far the iterations of a tile loop depend on each other", [
  I32EnumAttrCase<"None", 0, "unordered">, I32EnumAttrCase<"AsText", 1, "as_text">]> {
  let genSpecializedAttr = 0;
}

def Tawa_TileOrderAttr : EnumAttr<Tawa_Dialect, Tawa_TileOrder, "tile_order"> {
  let assemblyFormat = "`<` $value `>`";
  let description = [{
    `unordered`: made from the grid; each iteration is a program of its own, and programs have no order. `as_text`: written in the text;
    what an iteration reads from memory, an earlier one may have written.
  }];
}

def Tawa_CopyAttr : Tawa_Attr<"Copy", "copy"> {
  let summary = "how a load through pointers becomes tawa.copy_tile: the dimension of neighbors, and how many are copied at once";
  let parameters = (ins "uint32_t":$contiguous, "uint32_t":$vector);
  let assemblyFormat = "`<` `along` $contiguous `by` $vector `>`";
}

def Tawa_SubtileAttr : Tawa_Attr<"Subtile", "subtile"> {
  let summary = "one of several subtiles that together are a tile";
  let parameters = (ins "uint32_t":$index, "uint32_t":$count);
  let assemblyFormat = "`<` $index `of` $count `>`";
}

#endif
