// The df dialect: spatial dataflow machines, described by their parts. docs/planner.md is the guide for describing one.
#ifndef TAWA_DF_DIALECT_TD
#define TAWA_DF_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def DF_Dialect : Dialect {
  let name = "df";
  let cppNamespace = "::tawa::df";
  let summary = "Descriptions of spatial dataflow machines";
  let description = [{
    A machine is an array of cores, memories, networks between them, and the units of one core (TileLoom, arXiv 2512.22168,
    section 3.3). Operations declare its parts once; `scaleout` replicates a part along spatial dimensions, and affine maps
    say which instances are connected. Nothing is executed: the planner imports a `df.machine` as data
    (compiler/planner/DF/Import.h).

    Fields stand in braces, in any order. Names of parts are those of their values: `%noc_h` is the network "noc_h".
    Time is in cycles of the machine's clock, data in bytes.
  }];
  let useDefaultTypePrinterParser = 1;
}

class DF_Type<string name, string typeMnemonic, string about> : TypeDef<DF_Dialect, name> {
  let mnemonic = typeMnemonic;
  let summary = about;
}

def DF_DimType : DF_Type<"Dim", "dim", "a spatial dimension">;
def DF_ComponentType : DF_Type<"Component", "component", "an array of cores or of memories">;
def DF_UnitType : DF_Type<"Unit", "unit", "a kind of computing unit of a core">;
def DF_ConnectionType : DF_Type<"Connection", "connection", "links between instances of two components">;

#endif
