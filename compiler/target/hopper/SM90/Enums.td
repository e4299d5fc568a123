// Enumerations of sm90: special registers, shuffle modes, directions of setmaxnreg, modifiers of memory accesses and
// atomics, roundings and approximations.
#ifndef TAWA_DIALECT_SM90_ENUMS_TD
#define TAWA_DIALECT_SM90_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "compiler/target/hopper/SM90/Dialect.td"

class SM90_Enum<string name, string enumSummary, list<I32EnumAttrCase> enumCases>
    : I32EnumAttr<name, enumSummary, enumCases> {
  let cppNamespace = "::tawa::sm90";
  let genSpecializedAttr = 0;
}
class SM90_EnumAttr<I32EnumAttr info, string enumMnemonic> : EnumAttr<SM90_Dialect, info, enumMnemonic> {
  let assemblyFormat = "$value";
}

def SM90_SpecialRegisterEnum : SM90_Enum<"SpecialRegister", "a read-only register that says where a thread is", [
  I32EnumAttrCase<"TidX", 0, "tid_x">, I32EnumAttrCase<"TidY", 1, "tid_y">, I32EnumAttrCase<"TidZ", 2, "tid_z">,
  I32EnumAttrCase<"NtidX", 3, "ntid_x">, I32EnumAttrCase<"NtidY", 4, "ntid_y">, I32EnumAttrCase<"NtidZ", 5, "ntid_z">,
  I32EnumAttrCase<"CtaidX", 6, "ctaid_x">, I32EnumAttrCase<"CtaidY", 7, "ctaid_y">,
  I32EnumAttrCase<"CtaidZ", 8, "ctaid_z">, I32EnumAttrCase<"NctaidX", 9, "nctaid_x">,
  I32EnumAttrCase<"NctaidY", 10, "nctaid_y">, I32EnumAttrCase<"NctaidZ", 11, "nctaid_z">,
  I32EnumAttrCase<"ClusterCtaRank", 12, "cluster_ctarank">, I32EnumAttrCase<"LaneId", 13, "laneid">,
  I32EnumAttrCase<"WarpId", 14, "warpid">]>;
def SM90_SpecialRegisterAttr : SM90_EnumAttr<SM90_SpecialRegisterEnum, "special_register">;

// The numbers are those of tawa_emu_shuffle's mode.
def SM90_ShuffleModeEnum : SM90_Enum<"ShuffleMode", "which lane a shuffle reads", [
  I32EnumAttrCase<"Up", 0, "up">, I32EnumAttrCase<"Down", 1, "down">, I32EnumAttrCase<"Bfly", 2, "bfly">,
  I32EnumAttrCase<"Idx", 3, "idx">]>;
def SM90_ShuffleModeAttr : SM90_EnumAttr<SM90_ShuffleModeEnum, "shuffle_mode">;

def SM90_RegisterChangeEnum : SM90_Enum<"RegisterChange", "which way set_max_registers goes", [
  I32EnumAttrCase<"Dec", 0, "dec">, I32EnumAttrCase<"Inc", 1, "inc">]>;
def SM90_RegisterChangeAttr : SM90_EnumAttr<SM90_RegisterChangeEnum, "register_change">;

// The numbers of the next five are those of TTIR, where TTIR has such an enumeration.
def SM90_CacheModifierEnum : SM90_Enum<"CacheModifier", "which caches an access uses", [
  I32EnumAttrCase<"CA", 2, "ca">, I32EnumAttrCase<"CG", 3, "cg">, I32EnumAttrCase<"WB", 4, "wb">,
  I32EnumAttrCase<"CS", 5, "cs">, I32EnumAttrCase<"WT", 6, "wt">, I32EnumAttrCase<"CV", 7, "cv">]>;
def SM90_CacheModifierAttr : SM90_EnumAttr<SM90_CacheModifierEnum, "cache_modifier">;

def SM90_EvictionEnum : SM90_Enum<"Eviction", "how long a line stays in L1", [
  I32EnumAttrCase<"First", 2, "evict_first">, I32EnumAttrCase<"Last", 3, "evict_last">]>;
def SM90_EvictionAttr : SM90_EnumAttr<SM90_EvictionEnum, "eviction">;

def SM90_AtomicKindEnum : SM90_Enum<"AtomicKind", "what an atomic does to memory", [
  I32EnumAttrCase<"And", 1, "and">, I32EnumAttrCase<"Or", 2, "or">, I32EnumAttrCase<"Xor", 3, "xor">,
  I32EnumAttrCase<"Add", 4, "add">, I32EnumAttrCase<"FAdd", 5, "fadd">, I32EnumAttrCase<"Max", 6, "max">,
  I32EnumAttrCase<"Min", 7, "min">, I32EnumAttrCase<"UMax", 8, "umax">, I32EnumAttrCase<"UMin", 9, "umin">,
  I32EnumAttrCase<"Exch", 10, "exch">]>;
def SM90_AtomicKindAttr : SM90_EnumAttr<SM90_AtomicKindEnum, "atomic_kind">;

def SM90_SemanticsEnum : SM90_Enum<"Semantics", "what an atomic orders", [
  I32EnumAttrCase<"Relaxed", 1, "relaxed">, I32EnumAttrCase<"Acquire", 2, "acquire">,
  I32EnumAttrCase<"Release", 3, "release">, I32EnumAttrCase<"AcqRel", 4, "acq_rel">]>;
def SM90_SemanticsAttr : SM90_EnumAttr<SM90_SemanticsEnum, "semantics">;

def SM90_ScopeEnum : SM90_Enum<"Scope", "scope within which an access is atomic", [
  I32EnumAttrCase<"Gpu", 1, "gpu">, I32EnumAttrCase<"Cta", 2, "cta">, I32EnumAttrCase<"Sys", 3, "sys">]>;
def SM90_ScopeAttr : SM90_EnumAttr<SM90_ScopeEnum, "scope">;

def SM90_RoundingEnum : SM90_Enum<"Rounding", "where a value between two others goes", [
  I32EnumAttrCase<"RZ", 0, "rz">, I32EnumAttrCase<"RN", 1, "rn">]>;
def SM90_RoundingAttr : SM90_EnumAttr<SM90_RoundingEnum, "rounding">;

// The numbers are those of tawa_emu_approx's function.
def SM90_ApproxKindEnum : SM90_Enum<"ApproxKind", "a function of the special function unit", [
  I32EnumAttrCase<"Ex2", 0, "ex2">, I32EnumAttrCase<"Lg2", 1, "lg2">, I32EnumAttrCase<"Rcp", 2, "rcp">,
  I32EnumAttrCase<"Rsqrt", 3, "rsqrt">, I32EnumAttrCase<"Sqrt", 4, "sqrt">, I32EnumAttrCase<"Sin", 5, "sin">,
  I32EnumAttrCase<"Cos", 6, "cos">, I32EnumAttrCase<"Tanh", 7, "tanh">]>;
def SM90_ApproxKindAttr : SM90_EnumAttr<SM90_ApproxKindEnum, "approx_kind">;

#endif // TAWA_DIALECT_SM90_ENUMS_TD
