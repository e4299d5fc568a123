// Operations of the df dialect: the machine, what it is scaled out along, components, connections and units of a core.
#ifndef TAWA_DF_OPS_TD
#define TAWA_DF_OPS_TD

include "compiler/planner/DF/Dialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

class DF_Op<string mnemonic, list<Trait> traits = []> : Op<DF_Dialect, mnemonic, traits> {
  let hasVerifier = 1;
  let hasCustomAssemblyFormat = 1;
}

/// A part of a machine: an operation whose value carries the part's name.
class DF_Part<string mnemonic, list<Trait> traits = []>
    : DF_Op<mnemonic, traits # [HasParent<"MachineOp">, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]>;

def DF_MachineOp : DF_Op<"machine", [Symbol, SingleBlock, NoTerminator, NoRegionArguments, IsolatedFromAbove]> {
  let summary = "a machine with its parts";
  let description = [{
    The fields are the clock in hertz and what a description may know of costs that no part has: `launch` (cycles from the start
    of a program to the first instruction of a core), `message` (cycles of a core to issue one transfer) and `semaphore` (cycles
    from a signal to the core that waits for it, beside the network's). Costs that are left out are zero.

    Constraints:
    - C1: the clock is positive.
    - C2: costs are not negative.
    - C3: there is exactly one `df.core`.

    ```mlir
    df.machine @pair {clock = 1.0e9, launch = 1000} {
      %x = df.spatial_dim 2
      %cores = df.core {scaleout = (%x)}
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, F64Attr:$clock, OptionalAttr<F64Attr>:$launch, OptionalAttr<F64Attr>:$message,
                       OptionalAttr<F64Attr>:$semaphore);
  let regions = (region SizedRegion<1>:$body);
}

//===--- Scale-out -------------------------------------------------------------------------------------------------------===//

def DF_SpatialDimOp : DF_Part<"spatial_dim"> {
  let summary = "a dimension along which components are replicated";
  let description = [{
    Constraints: C1: its size is positive.

    ```mlir
    %x = df.spatial_dim 8
    ```
  }];
  let arguments = (ins I64Attr:$size, StrAttr:$label);
  let results = (outs DF_DimType:$dim);
}

def DF_CoreOp : DF_Part<"core", [AttrSizedOperandSegments]> {
  let summary = "an array of cores";
  let description = [{
    One core per index of the dimensions in `scaleout`. `scalein` lists the kinds of units of each core, then how many of each;
    without the counts there is one of each.

    Constraints:
    - C1: `scaleout` names at least one dimension, none twice.
    - C2: there are as many counts as units, each positive.

    ```mlir
    %cores = df.core {scaleout = (%x, %y), scalein = (%fpu, %sfpu, [8, 1])}
    ```
  }];
  let arguments = (ins Variadic<DF_DimType>:$scaleout, Variadic<DF_UnitType>:$scalein, DenseI64ArrayAttr:$counts, StrAttr:$label);
  let results = (outs DF_ComponentType:$component);
}

def DF_MemoryOp : DF_Part<"memory"> {
  let summary = "an array of memories";
  let description = [{
    One memory per index of the dimensions in `scaleout`; without dimensions there is one. `size` is bytes of one instance,
    `bandwidth` bytes per cycle of one port of an instance, `latency` cycles from a request to its first byte (0 if left out).

    Constraints:
    - C1: `scaleout` names no dimension twice.
    - C2: size and bandwidth are positive, the latency is not negative.

    ```mlir
    %l1 = df.memory {scaleout = (%x, %y), size = 1499136, bandwidth = 384}
    ```
  }];
  let arguments = (ins Variadic<DF_DimType>:$scaleout, I64Attr:$size, F64Attr:$bandwidth, OptionalAttr<F64Attr>:$latency,
                       StrAttr:$label);
  let results = (outs DF_ComponentType:$component);
}

//===--- Connections -----------------------------------------------------------------------------------------------------===//

def DF_InterconnectsOp : DF_Part<"interconnects"> {
  let summary = "a network: one link from each instance that its map gives a receiver";
  let description = [{
    Each instance of the first component has a link to the instance of the second that the map computes from its indices. Where
    the map leaves the array there is no link: `(d0 + 1) mod 8` closes a ring, `d0 + 1` leaves it open. `bandwidth` is bytes per
    cycle of one link, `hop_latency` cycles that the head of a message takes over one link (0 if left out). With
    `multicast = true` an instance can take a message and pass it on at the same time.

    Constraints:
    - C1: the map takes the indices of a sender, without symbols, and gives those of a receiver.
    - C2: the bandwidth is positive, the latency not negative.
    - C3: at least one link exists.

    ```mlir
    %noc_h = df.interconnects %cores, %cores {map = affine_map<(d0, d1) -> ((d0 + 1) mod 8, d1)>, bandwidth = 28}
    ```
  }];
  let arguments = (ins DF_ComponentType:$from, DF_ComponentType:$to, AffineMapAttr:$map, F64Attr:$bandwidth,
                       OptionalAttr<F64Attr>:$hop_latency, OptionalAttr<BoolAttr>:$multicast, StrAttr:$label);
  let results = (outs DF_ConnectionType:$connection);
}

def DF_MuxOp : DF_Part<"mux"> {
  let summary = "instances that share the port of another";
  let description = [{
    `df.mux %dst, %srcs`: each instance of `srcs` reaches the instance of `dst` that the map computes from its indices; all that
    reach one share its port. Where the map leaves the array, an instance has no connection. `bandwidth` is bytes per cycle of
    the connection of one instance of `srcs`.

    Constraints:
    - C1: the map takes the indices of an instance of `srcs`, without symbols, and gives those of one of `dst`.
    - C2: the bandwidth is positive.
    - C3: at least one instance is connected.

    ```mlir
    %port = df.mux %dram, %cores {map = affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 4)>, bandwidth = 28}
    ```
  }];
  let arguments = (ins DF_ComponentType:$dst, DF_ComponentType:$srcs, AffineMapAttr:$map, F64Attr:$bandwidth, StrAttr:$label);
  let results = (outs DF_ConnectionType:$connection);
}

//===--- Units of a core -------------------------------------------------------------------------------------------------===//

def DF_MatOp : DF_Part<"mat"> {
  let summary = "a matrix unit";
  let description = [{
    One instruction multiplies m x k by k x n; `shape` is [m, n, k]. `throughput` is the operations per cycle that one unit
    sustains, a multiplication and an addition counted as two: an instruction takes 2 m n k / throughput cycles.

    Constraints:
    - C1: the shape has three positive numbers.
    - C2: the throughput is positive.

    ```mlir
    %fpu = df.mat {shape = [32, 32, 32], throughput = 98}
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$shape, F64Attr:$throughput, StrAttr:$label);
  let results = (outs DF_UnitType:$unit);
}

def DF_VecOp : DF_Part<"vec"> {
  let summary = "a vector unit";
  let description = [{
    One instruction works on as many elements as `shape` says. `throughput` is the elements per cycle that one unit sustains.

    Constraints:
    - C1: the shape has one positive number.
    - C2: the throughput is positive.

    ```mlir
    %sfpu = df.vec {shape = [32], throughput = 3}
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$shape, F64Attr:$throughput, StrAttr:$label);
  let results = (outs DF_UnitType:$unit);
}

def DF_ScalarOp : DF_Part<"scalar"> {
  let summary = "a scalar unit";
  let description = [{
    `latency` is the cycles of one operation. Constraints: C1: it is positive.

    ```mlir
    %risc = df.scalar {latency = 1}
    ```
  }];
  let arguments = (ins F64Attr:$latency, StrAttr:$label);
  let results = (outs DF_UnitType:$unit);
}

#endif
