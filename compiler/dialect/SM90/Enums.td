// Enumerations of sm90: special registers, shuffle modes, and which way setmaxnreg goes.
#ifndef TAWA_DIALECT_SM90_ENUMS_TD
#define TAWA_DIALECT_SM90_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "compiler/dialect/SM90/Dialect.td"

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

#endif // TAWA_DIALECT_SM90_ENUMS_TD
