// The passes that make a region of code of each role, and decide how its tensor descriptors are accessed.
// In the order in which compiler/pipeline runs them. Each has a file of its name and a lit test.
#ifndef TAWA_ROLES_DISTRIBUTEPASSES_TD
#define TAWA_ROLES_DISTRIBUTEPASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandUnalignedDescriptors : Pass<"tawa-expand-unaligned-descriptors", "::mlir::ModuleOp"> {
  let summary = "Turn accesses through descriptors of tensors that TMA cannot take into pointer accesses";
  let description = [{
    A parameter with `tawa.row_alignment` is the descriptor of a tensor whose address or strides are no multiples of 16 bytes.
    Its accesses become `tt.load`, `tt.store` and atomics on tensors of pointers, as those of `tawa-expand-descriptors` do, and
    base and strides are hinted (`tt.divisibility`) to be multiples of the bytes that the attribute names, which a launch checks.
    All other descriptors stay.

    Needs: specialized arguments; tiles have their sizes. Holds after: no access names such a parameter as its descriptor.

    Example (tests/lit/roles/expand-unaligned-descriptors.mlir):
    ```mlir
    %x = tt.descriptor_load %a[%i, %c0] : !tt.tensordesc<tensor<8x16xf16>> -> tensor<8x16xf16>
    // becomes
    %x = tt.load %.., %.. : tensor<8x16x!tt.ptr<f16>>
    ```
  }];
  let statistics = [
    Statistic<"expanded", "num-expanded", "accesses through descriptors that became accesses through pointers">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def DistributeRoles : Pass<"tawa-distribute-roles", "::mlir::ModuleOp"> {
  let summary = "Give each role its own copy of the code and join them by arefs (loop distribution)";
  let description = [{
    Paper, section III.C.2. Every role becomes a `tawa.warp_group` with a clone of the operations assigned to it; every
    channel becomes an aref of depth D, or 1 if it has a single put. The producer puts where it loaded; the consumer
    gets at the same place of its own loop and releases the slot after the last use. Puts and gets are numbered by
    counters that start at 0 with the kernel and are carried through every loop and condition, like the barriers.

    wgmma reads elements of 8 and 32 bits with K innermost only. Tiles loaded in another order (TransposedLoads.h) go
    through a third role, which transposes them: it gets them from the producer's ring and puts them into another one,
    whose slot layout tawa-assign-layouts chooses for the dots. Where that would leave the consumers too few registers
    for their sums, they transpose such tiles themselves.

    A converter of tawa-partition-roles gets tiles from the producer and puts the operands that it computes into rings of
    their own.

    Needs: the annotations of tawa-partition-roles; does nothing to a kernel that was declined. Holds after: no
    annotation is left; roles share only arefs and parameters.

    Example (tests/lit/roles/distribute-roles.mlir):
    ```mlir
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32>) : i32 {
    %b = tt.descriptor_load %db[%i, %c0] : !tt.tensordesc<tensor<32x64xf16>> -> tensor<32x64xf16>
    %d = tt.dot %q, %b, %acc : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    // becomes
    %b = tawa.create_aref : <3, [tensor<32x64xf16>]>
    tawa.warp_group producer warps(4) registers(0)
    scf.for .. iter_args(%n = %zero) -> (i32)
    %bt = tt.descriptor_load
    tawa.put %b[%n], %bt
    tawa.warp_group consumer warps(4) registers(0)
    scf.for .. iter_args(%acc = .., %n = %zero)
    %bg = tawa.get %b[%n]
    %d = tt.dot %qg, %bg, %acc
    tawa.consumed %b[%n]
    ```
  }];
  let options = [
    Option<"ringDepth", "ring-depth", "int", "4", "slots of every aref (the paper's D) where tawa-partition-roles planned none">,
    Option<"consumerGroups", "consumer-groups", "int", "2", "warp groups of the consumer role (cooperative, paper IV.A)">,
    Option<"converterGroups", "converter-groups", "int", "0", "warp groups of the converter, where the partition has one">,
  ];
  let statistics = [
    Statistic<"roles", "num-roles", "roles that got their own copy of the code">,
    Statistic<"rings", "num-rings", "arefs that join them">,
    Statistic<"transposed", "num-transposed", "of these, arefs filled by the role that transposes tiles">,
    Statistic<"kept", "num-kept", "kernels that stay one role">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def WrapOneRole : Pass<"tawa-wrap-one-role", "::mlir::ModuleOp"> {
  let summary = "Wrap a kernel that is not split into a single role";
  let description = [{
    Where the module has `tawa.declined`, the whole body becomes `tawa.warp_group main`.

    `warps = 0` lets the pass choose. A kernel with a dot has 4, 8 from tiles of 16384 elements on, 16 from 65536; but one or
    two where all its dots run on mma.sync, a lane has at most 16 elements of each result and 64 of each other tensor, and
    either at most 32 bytes of each operand or, with twice as many warps, less than 8 elements of each result.
    Others have as many, at most 8, as leave each thread 8 bytes of the largest tile that is loaded or stored, or 16
    where threads reduce together; and twice as many where the tiles live at once (compiler/analysis/LiveTiles.h) would
    need more than 64 registers, 16 of them for scalars.

    `registers` limits the registers of a thread so that CTAs with 64 KiB of loads in flight share an SM. It is 0, the
    assembler's choice, where that takes more than 1024 threads, where the tiles do not fit, and in kernels with a dot.

    Needs: nothing. Holds after: a declined kernel is one role and a `tt.return`.

    Example (tests/lit/roles/wrap-one-role.mlir):
    ```mlir
    %c = arith.constant 1 : i32
    tt.store %p, %c : !tt.ptr<i32>
    tt.return
    // becomes
    tawa.warp_group main warps(1) registers(0) {
    %c = arith.constant 1 : i32
    tt.store %.., %c
    }
    tt.return
    ```
  }];
  let options = [
    Option<"warps", "warps", "int", "0", "warps of the role: 1, 2, 4, 8 or 16; 0: the pass chooses">,
  ];
  let statistics = [
    Statistic<"wrapped", "num-wrapped", "kernels that became one role">,
    Statistic<"kept", "num-kept", "kernels that are split into roles">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def ExpandDescriptors : Pass<"tawa-expand-descriptors", "::mlir::ModuleOp"> {
  let summary = "Turn descriptor accesses that TMA does not execute into masked pointer accesses";
  let description = [{
    Loads, stores, reductions, gathers and scatters through tensor descriptors become `tt.load`, `tt.store` and
    `tt.atomic_rmw` on tensors of pointers, with masks for both bounds of every dimension and the descriptor's padding; a
    reduction that memory has no atomic operation for becomes a loop around `tt.atomic_cas` (AtomicLoop.h). A
    descriptor that the kernel makes is decomposed into base, shape, strides and padding, through loops and conditions; for
    one that is a parameter the pass adds parameters (`tawa.argument`, parts "pointer", and "shape" and "stride" where
    the text does not print them).

    In a kernel that is split into roles two forms remain: tiles that are put into an aref, and stores of a wgmma
    accumulator that TMA can execute (compiler/analysis/TileStores.h).

    Needs: roles. Holds after: TMA executes every remaining descriptor operation.

    Example (tests/lit/roles/expand-descriptors.mlir):
    ```mlir
    %v = tt.descriptor_load %d[%i, %c0, %c0] evictionPolicy = evict_first ..
    tt.descriptor_store %d[%i, %c0, %c0], %v : !tt.tensordesc<tensor<1x8x16xf16>>, tensor<8x16xf16>
    // becomes
    %base = tt.addptr %p, %skip
    %in = arith.andi %above, %below : i1
    %v = tt.load %ptr, %mask evictionPolicy = evict_first : tensor<8x16x!tt.ptr<f16>>
    tt.store %ptr, %v, %mask : tensor<8x16x!tt.ptr<f16>>
    ```
  }];
  let statistics = [
    Statistic<"expanded", "num-expanded", "accesses through descriptors that became accesses through pointers">,
    Statistic<"kept", "num-kept", "accesses through descriptors that TMA does">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def HoistDescriptors : Pass<"tawa-hoist-descriptors", "::mlir::ModuleOp"> {
  let summary = "Turn descriptors made in the kernel into parameters whose tensor maps the launch makes";
  let description = [{
    A `tt.make_tensor_descriptor` of parameters and constants becomes a parameter with `tawa.argument` (the logical
    argument that its base belongs to) and `tawa.descriptor`: offset, shape and strides as expressions over the
    arguments (compiler/analysis/LaunchExpression.h), which a launch evaluates.

    Needs: tawa-expand-descriptors. Holds after: every descriptor is a parameter or a `tawa.make_descriptor` of its
    role, and used by TMA.

    Example (tests/lit/roles/hoist-descriptors.mlir):
    ```mlir
    tawa.warp_group producer warps(4) registers(0) {
    %d = tt.make_tensor_descriptor %q, [%m, %n], [%l, %t1] {padding = 2 : i32} : <f16>, <tensor<16x32xf16>>
    tt.descriptor_store %d[%m, %m], %v : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf16>
    // becomes
    %d: !tt.tensordesc<tensor<16x32xf16>> {tawa.argument = #tawa.part<descriptor, index = 0, ..
    tt.descriptor_store %d
    ```
  }];
  let statistics = [
    Statistic<"hoisted", "num-hoisted", "descriptors that became parameters">,
    Statistic<"unused", "num-unused", "descriptors without a use, which were erased">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect"];
}

def MulticastTiles : Pass<"tawa-multicast-tiles", "::mlir::ModuleOp"> {
  let summary = "Load a tile common to CTAs of a cluster once, by multicast";
  let description = [{
    Programs of a cluster have consecutive ids along x; where CTAs share a program's sum (tawa-split-reduction), those with the same
    part of it share tiles, and the cluster has up to eight CTAs in all. For every descriptor load that is put into a ring, the part
    of its coordinates that depends on the program is cloned for the neighbours (with the program id and the induction
    variable of a loop over tiles substituted), and compared before the loops around the put: `tawa.put .. multicast(..)`
    gets the bits in which the ids of those differ that have a tile in common. A load that does not depend on the program is
    always shared by all; one whose coordinates grow with it by a constant, or cannot be cloned, never.

    A ring is shared where all CTAs of a cluster put into it equally often: loops and conditions around the puts do not
    depend on the program, or a loop walks tiles from the program's id in steps of the number of programs, and the
    cluster divides the number of tiles. Conditions that only a launch can check become `tawa.cluster_divides` on the
    function (launch expressions). The producer of a shared ring ends with `tawa.producer_tail`, so that no CTA ends while
    others arrive at its barriers. Where no ring is shared, the kernel runs without a cluster, with the reason on the
    module (`tawa.not_applied`, compiler/analysis/RejectReason.h).

    Needs: roles; descriptors as parameters (tawa-hoist-descriptors). Holds after: the function has `tawa.cluster` if
    any put is shared.

    Example (tests/lit/roles/multicast-tiles.mlir):
    ```mlir
    %program = tt.get_program_id x : i32
    %column = arith.divsi %program, %c8 : i32
    %b = tt.descriptor_load %db[%y, %x] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    tawa.put %ring[%i], %a, %b : !tawa.aref<2, [tensor<64x64xf16>, tensor<64x64xf16>]>, tensor<64x64xf16>, ..
    // becomes
    %neighbour = arith.xori %program, %one
    %other = arith.divsi %neighbour, %eight
    %same = arith.cmpi eq, %column, %other
    %bits = arith.extui %same : i1 to i32
    %puts = scf.for
    tawa.put .. multicast(%zero, %bits)
    tawa.producer_tail ..[%puts]
    ```
  }];
  let options = [
    Option<"cluster", "cluster", "int", "1", "programs of a cluster: 1, 2, 4 or 8">,
  ];
  let statistics = [
    Statistic<"same", "num-same", "tiles that are always shared">,
    Statistic<"compared", "num-compared", "tiles whose coordinates are compared at run time">,
    Statistic<"own", "num-own", "tiles of shared rings that every CTA loads for itself">,
    Statistic<"kept", "num-kept", "kernels that run without a cluster, by reason">,
  ];
  let dependentDialects = ["::tawa::ws::TawaDialect", "::mlir::arith::ArithDialect"];
}

#endif // TAWA_ROLES_DISTRIBUTEPASSES_TD
