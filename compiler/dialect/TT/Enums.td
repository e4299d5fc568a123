//===- Enums.td - enumerations of the tt dialect ------------------------------------------------------------------===//
//
// The numbers are Triton's: where an attribute stands in a dictionary it is printed as `N : i32`, and both the number
// and the keyword must be understood.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TAWA_TT_ENUMS_TD
#define TAWA_TT_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class TT_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tawa::tt";
}

def TT_ProgramDim : TT_Enum<"ProgramDim", "dimension of the grid", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">]>;

def TT_CacheModifier : TT_Enum<"CacheModifier", "PTX cache operator of an access", [
  I32EnumAttrCase<"None", 1, "none">, I32EnumAttrCase<"CA", 2, "ca">, I32EnumAttrCase<"CG", 3, "cg">,
  I32EnumAttrCase<"WB", 4, "wb">, I32EnumAttrCase<"CS", 5, "cs">, I32EnumAttrCase<"WT", 6, "wt">,
  I32EnumAttrCase<"CV", 7, "cv">]>;

def TT_EvictionPolicy : TT_Enum<"EvictionPolicy", "L2 eviction priority of an access", [
  I32EnumAttrCase<"Normal", 1, "evict_normal">, I32EnumAttrCase<"First", 2, "evict_first">,
  I32EnumAttrCase<"Last", 3, "evict_last">]>;

def TT_PaddingOption : TT_Enum<"PaddingOption", "what an element outside the tensor reads as", [
  I32EnumAttrCase<"Zero", 1, "zero">, I32EnumAttrCase<"NaN", 2, "nan">]>;

def TT_RoundingMode : TT_Enum<"RoundingMode", "rounding of a narrowing conversion", [
  I32EnumAttrCase<"RTZ", 0, "rtz">, I32EnumAttrCase<"RTNE", 1, "rtne">]>;

def TT_InputPrecision : TT_Enum<"InputPrecision", "how f32 operands enter the tensor core", [
  I32EnumAttrCase<"TF32", 0, "tf32">, I32EnumAttrCase<"TF32x3", 1, "tf32x3">, I32EnumAttrCase<"IEEE", 2, "ieee">,
  I32EnumAttrCase<"BF16x3", 3, "bf16x3">, I32EnumAttrCase<"BF16x6", 4, "bf16x6">]>;

#endif
