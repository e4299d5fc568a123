// Operations of the tawa dialect. The state of a slot is <buffer, F, E> as in the paper's Figure 4: F says the slot holds a
// published value, E that it may be written. Initially F = 0 and E = 1.
#ifndef TAWA_OPS_TD
#define TAWA_OPS_TD

include "compiler/roles/Tawa/Attributes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tawa_Op<string mnemonic, list<Trait> traits = []> : Op<Tawa_Dialect, mnemonic, traits>;

//===--- Roles --------------------------------------------------------------------------------------------------------===//

def Tawa_WarpGroupOp : Tawa_Op<"warp_group", [SingleBlock, NoTerminator, NoRegionArguments]> {
  let summary = "one role: code run by a set of warps of its own";
  let description = [{
    The region runs on `warps` warps (a multiple of 4: whole warp groups), at the same time as the other roles of the kernel.
    Warps are numbered through the roles in the order in which they stand. `registers` is what each thread of the role asks for
    with setmaxnreg; 0 keeps the count of kernel entry.

    A kernel that is not split into roles is one role, `main`, of 1, 2, 4, 8, ... warps. Several roles may be of one kind; messages
    number them.

    Constraints:
    - C1: `warps` is 1, 2 or a positive multiple of 4.
    - C2: `registers` is 0, or a multiple of 8 in [24, 256] (PTX ISA, setmaxnreg); 0 if `warps` is below 4.
    - C3: it stands directly in a function's body.

    ```mlir
    tawa.warp_group producer warps(4) registers(40) {
      tawa.put %ring[%n], %a, %b : !tawa.aref<4, [tensor<128x64xf16>, tensor<256x64xf16>]>
    }
    ```
  }];
  let arguments = (ins Tawa_RoleKind:$kind, I32Attr:$warps, I32Attr:$registers);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$kind `warps` `(` $warps `)` `registers` `(` $registers `)` $body attr-dict";
  let extraClassDeclaration = [{
    /// For messages and reports: the kind, with a number where the function has several roles of it.
    std::string roleName();
  }];
  let hasVerifier = 1;
}

//===--- Asynchronous references ----------------------------------------------------------------------------------------===//

def Tawa_Payload : AnyTypeOf<[AnyRankedTensor, I32]>;

def Tawa_CreateArefOp : Tawa_Op<"create_aref", [MemoryEffects<[MemAlloc]>]> {
  let summary = "make a ring of D slots, each empty";
  let description = [{
    Every slot starts as F = 0, E = 1. Constraints: C1: it stands directly in a function's body, before the roles that use it.
  }];
  let results = (outs Tawa_ArefType:$aref);
  let assemblyFormat = "attr-dict `:` type($aref)";
  let hasVerifier = 1;
}

def Tawa_PutOp : Tawa_Op<"put", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "publish values in slot `index mod D`";
  let description = [{
    Waits for E = 1, writes the values, then sets F = 1, E = 0 (rule PUT of Figure 4). `index` counts the puts of this ring from
    kernel entry, without gaps: slot and phase both follow from it, so it must live as long as the ring's barriers.

    A value is a tile as it is loaded (a descriptor load, `tawa.copy_tile`), the tile of another ring's slot, which the slots of the
    two rings may hold in different orders, or one that the role computed: the threads of the role write these. A number is written
    by one thread.

    In a cluster (`tawa.cluster` on the function) puts may share: `multicast` has a number per value, of the bits in which the programs
    that put the same value with this index differ, counted within the cluster. With 2, programs 0 and 2 share one value, 1 and 3
    another one; with 3, all four do; with 0, each has its own. Each of those that share writes one part to the slots of all of them.
    Slots of such a ring are empty (E = 1) when the consumers of every CTA of the cluster have given them back.

    Constraints:
    - C1: the values have the payload types of the ring, in order; a tile that was got or computed may have another layout.
    - C2: one role puts into a ring, another gets from it. The role of a kernel that has only one does both, and puts before
      it gets.
    - C3: as many numbers as values, or none; with numbers, the function has `tawa.cluster`, and so have all puts of
      the ring. Each is one of `sharedBits()` (`runtime/artifact/ClusterSharing.h`).
    - C4: the CTAs of a cluster put into a sharing ring equally often and agree on every number. Not checked here
      (tawa-multicast-tiles sees to it).

    ```mlir
    tawa.put %ring[%n], %a, %b multicast(%none, %all) : !tawa.aref<4, [tensor<128x64xf16>, tensor<256x64xf16>]>, ...
    ```
  }];
  let arguments = (ins Tawa_ArefType:$aref, I32:$index, Variadic<Tawa_Payload>:$values, Variadic<I32>:$multicast);
  let assemblyFormat = [{
    $aref `[` $index `]` `,` $values (`multicast` `(` $multicast^ `)`)? attr-dict `:` type($aref) `,` type($values)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$aref, "::mlir::Value":$index, "::mlir::ValueRange":$values), [{
    build($_builder, $_state, aref, index, values, ::mlir::ValueRange());
  }]>];
  let hasVerifier = 1;
}

def Tawa_GetOp : Tawa_Op<"get", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "borrow the values of slot `index mod D`";
  let description = [{
    Waits for F = 1 and sets F = 0 (rule GET): the slot is borrowed, neither writable nor gettable, until `tawa.consumed`. The
    results name the slot's buffer; they are valid until then. A number is read at once. `index` counts the gets from kernel
    entry.

    Constraints: C1: the results have the payload types of the ring, in order.
  }];
  let arguments = (ins Tawa_ArefType:$aref, I32:$index);
  let results = (outs Variadic<Tawa_Payload>:$values);
  let assemblyFormat = "$aref `[` $index `]` attr-dict `:` type($aref) `->` type($values)";
  let hasVerifier = 1;
}

def Tawa_ConsumedOp : Tawa_Op<"consumed", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "give slot `index mod D` back to the producer";
  let description = [{
    Sets E = 1 (rule CONSUMED). Every get is followed by exactly one consumed of the same index, at a place where every reader of
    the slot, asynchronous dots included, is known to have finished. With a `condition` nothing happens where it is false.
  }];
  let arguments = (ins Tawa_ArefType:$aref, I32:$index, Optional<I1>:$condition);
  let assemblyFormat = "$aref `[` $index `]` (`if` $condition^)? attr-dict `:` type($aref)";
}

def Tawa_ProducerTailOp : Tawa_Op<"producer_tail", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until all slots have been given back";
  let description = [{
    After the role's last put into a ring that the CTAs of a cluster share; `index` is the number of puts. Waits for E = 1 of
    every slot: until then consumers of other CTAs may arrive at this CTA's barriers, which must not end before.

    Constraints: C1: the role puts into the ring.

    ```mlir
    tawa.producer_tail %ring[%puts] : !tawa.aref<4, [tensor<128x64xf16>]>
    ```
  }];
  let arguments = (ins Tawa_ArefType:$aref, I32:$index);
  let assemblyFormat = "$aref `[` $index `]` attr-dict `:` type($aref)";
  let hasVerifier = 1;
}

def Tawa_CopyTileOp : Tawa_Op<"copy_tile", [AttrSizedOperandSegments, MemoryEffects<[MemRead]>]> {
  let summary = "copy a tile that scattered pointers name straight to a slot, by all threads of the role";
  let description = [{
    The other way a tile reaches an aref, beside a descriptor load: the copies start where the result is put, asynchronously, and
    the put publishes the slot when all of them have landed. Elements whose mask is false are zero and are not read. Along
    dimension `contiguous`, aligned groups of `vector` elements are neighbours in memory, are aligned to their size and have one
    mask value. With `count`, of each such group only so many are read, from the first on, as its first element says; the others
    are zero.

    Constraints:
    - C1: pointers, mask, counts and result have one shape, of rank 2;
    - C2: `vector` is a power of two that divides the extent of dimension `contiguous` (0 or 1), which is also the one that runs
      fastest in the slot.

    ```mlir
    %a = tawa.copy_tile %p, %m along 1 by 8 : tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi1> -> tensor<128x64xf16>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$pointers, Optional<AnyRankedTensor>:$mask, Optional<AnyRankedTensor>:$count,
                       I32Attr:$contiguous, I32Attr:$vector);
  let results = (outs AnyRankedTensor:$tile);
  let assemblyFormat = [{
    $pointers (`,` $mask^)? (`count` $count^)? `along` $contiguous `by` $vector attr-dict
    `:` type($pointers) (`,` type($mask)^)? (`count` type($count)^)? `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Tawa_MakeDescriptorOp : Tawa_Op<"make_descriptor", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "describe a tensor to TMA, in memory of the role's own";
  let description = [{
    Like `tt.make_tensor_descriptor`, for one that a launch cannot make: the role writes the tensor map itself. There is one place
    for it, so what TMA does by the description before must be over. Its stores the role waits for; its loads are those put into
    `arefs` under numbers below `indices`, and have landed when their slots say so. Where the description is the one before,
    nothing is written and nothing waited for.

    Constraints:
    - C1: an index for each ring; as many strides as sizes, 1 to 5.
    - C2: every use of the result is by the same role, in a load that is put or in a store by TMA. Not checked here.

    ```mlir
    %d = tawa.make_descriptor %p, [%m, %k], [%k64, %one] after %ring[%n] : !tt.ptr<f16>, !tawa.aref<..> -> !tt.tensordesc<..>
    ```
  }];
  let arguments = (ins AnyType:$base, Variadic<I32>:$shape, Variadic<I64>:$strides, Variadic<Tawa_ArefType>:$arefs,
                       Variadic<I32>:$indices, UnitAttr:$padsWithNaN);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` (`after` $arefs^ `[` $indices `]`)? attr-dict
    `:` type($base) (`,` type($arefs)^)? `->` type($result)
  }];
  let hasVerifier = 1;
}

//===--- Ping-pong --------------------------------------------------------------------------------------------------------===//

class Tawa_PingPongOp<string mnemonic> : Tawa_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins I32Attr:$group, Optional<I1>:$condition);
  let assemblyFormat = "$group (`if` $condition^)? attr-dict";
  let hasVerifier = 1;
}

def Tawa_PingPongWaitOp : Tawa_PingPongOp<"pingpong_wait"> {
  let summary = "wait until another role passes to consumer group `group`";
  let description = [{
    Roles that do the same work on different tiles go through what only one of them may do at a time (multiply, take slots of a
    ring that all of them get from) one after the other (ping-pong): each group waits to be passed to, and then passes to the next. For each wait of a
    group there is exactly one pass to it. A named barrier of the two roles keeps the order. With a `condition` nothing happens
    where it is false.

    Constraints:
    - C1: it stands in a role of whole warp groups;
    - C2: one role waits as a group and one other role, of as many warps, passes to that group.

    ```mlir
    tawa.pingpong_wait 1 if %notFirst
    // main loop of this role's tile
    tawa.pingpong_pass 0 if %notLast
    ```
  }];
}

def Tawa_PingPongPassOp : Tawa_PingPongOp<"pingpong_pass"> {
  let summary = "let the role that waits as consumer group `group` continue";
  let description = [{Does not wait. Constraints: as for `tawa.pingpong_wait`.}];
}

//===--- Turns of warp groups ---------------------------------------------------------------------------------------------===//

class Tawa_TurnOp<string mnemonic> : Tawa_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tawa_TurnsBeginOp : Tawa_TurnOp<"turns_begin"> {
  let summary = "let the first warp group of the role have the first turn";
  let description = [{
    The warp groups of one role take turns at what only one of them should do at a time: issue products, whose order in the tensor cores
    is that of their issue. The others compute meanwhile. Group g + 1 follows group g, and the first one follows the last.

    Constraints:
    - C1: it stands in a role of two or more whole warp groups.

    ```mlir
    tawa.turns_begin
    scf.for .. {
      tawa.turn_wait
      %s = tawa.dot_issue ..
      tawa.turn_pass
      ..
    }
    ```
  }];
}

def Tawa_TurnWaitOp : Tawa_TurnOp<"turn_wait"> {
  let summary = "wait until it is this warp group's turn";
  let description = [{
    A role has one, before one `tawa.turn_pass` of the same block, and all its warp groups come there equally often. Between them stands
    nothing that another group may wait for, as a release. Constraints: as for `tawa.turns_begin`.
  }];
}

def Tawa_TurnPassOp : Tawa_TurnOp<"turn_pass"> {
  let summary = "pass the turn to the next warp group of the role";
  let description = [{Does not wait. The last pass of the last group is to none. Constraints: as for `tawa.turns_begin`.}];
}

//===--- Programs of several CTAs -----------------------------------------------------------------------------------------===//

def Tawa_ClusterRankOp : Tawa_Op<"cluster_rank", [Pure]> {
  let summary = "which of the CTAs of a program this one is";
  let description = [{
    From 0 to `tawa.split - 1`. Constraints: C1: the function has `tawa.split`.

    ```mlir
    %rank = tawa.cluster_rank : i32
    ```
  }];
  let results = (outs I32:$rank);
  let assemblyFormat = "attr-dict `:` type($rank)";
  let hasVerifier = 1;
}

def Tawa_ClusterSumOp : Tawa_Op<"cluster_sum",
    [SameOperandsAndResultType, MemoryEffects<[MemRead, MemWrite]>] # ElementwiseMappable.traits> {
  let summary = "add up what the CTAs of a program have of a tensor";
  let description = [{
    Every CTA of the program executes this operation exactly once. In rank 0 the result is the sum over all of them, added pairwise in an order that
    depends on their number alone; in the others it says nothing. Rank 0 goes on when all parts are there, the others when
    theirs is on its way.

    Constraints:
    - C1: the function has `tawa.split`;
    - C2: it stands in no loop: the memory through which the parts travel is used once;
    - C3: elements are floats or integers of 16 or 32 bits.

    ```mlir
    %sum = tawa.cluster_sum %partial : tensor<64x16xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$tensor);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$tensor attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

//===--- Tiles that CTAs share --------------------------------------------------------------------------------------------===//

def Tawa_NeedsPartOp : Tawa_Op<"needs_part", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "whether another CTA has to find this one's part of a tile's sum";
  let description = [{
    Shared tile `tile` has `parts` parts. False where it has one, or two of which the other one is there.

    Constraints: C1: the function has `tawa.stream`.

    ```mlir
    %needed = tawa.needs_part %tile of %parts : i1
    ```
  }];
  let arguments = (ins I32:$tile, I32:$parts);
  let results = (outs I1:$needed);
  let assemblyFormat = "$tile `of` $parts attr-dict `:` type($needed)";
  let hasVerifier = 1;
}

def Tawa_StorePartOp : Tawa_Op<"store_part",
    [AllTypesMatch<["part", "kept"]>, MemoryEffects<[MemWrite]>] # ElementwiseMappable.traits> {
  let summary = "keep a CTA's part of a tile's sum where the tile's last CTA finds it";
  let description = [{
    Where `needed`, every thread writes the elements that it holds to slot `slot` of the launch's workspace. The result is
    the part itself. There are two slots for each CTA.

    Constraints:
    - C1: elements are floats or integers of 16 or 32 bits.
    - C2: the function has `tawa.stream`.

    ```mlir
    %kept = tawa.store_part %partial in %slot if %needed : tensor<64x16xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$part, I32:$slot, I1:$needed);
  let results = (outs AnyRankedTensor:$kept);
  let assemblyFormat = "$part `in` $slot `if` $needed attr-dict `:` type($part)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Of one CTA.
    static constexpr unsigned kSlots = 2;
  }];
}

def Tawa_CountPartOp : Tawa_Op<"count_part", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "whether all parts of a tile's sum are there";
  let description = [{
    Where `needed`, counts one more of the `parts` parts of shared tile `tile`, those that this CTA has stored before. True
    in one CTA of the tile, which sees what the others stored, and where the part is not needed. Part i is in slot `tile` +
    i * `stride`. Of many large parts (runtime/artifact/StreamParts.h) the sum is then in the slot of the first. Counts are
    0 again when the launch ends.

    Constraints: C1: the function has `tawa.stream`.

    ```mlir
    %complete = tawa.count_part %tile of %parts step %stride if %needed : i1
    ```
  }];
  let arguments = (ins I32:$tile, I32:$parts, I32:$stride, I1:$needed);
  let results = (outs I1:$complete);
  let assemblyFormat = "$tile `of` $parts `step` $stride `if` $needed attr-dict `:` type($complete)";
  let hasVerifier = 1;
}

def Tawa_SumPartsOp : Tawa_Op<"sum_parts",
    [AllTypesMatch<["part", "sum"]>, MemoryEffects<[MemRead]>] # ElementwiseMappable.traits> {
  let summary = "add up the parts of a tile's sum";
  let description = [{
    Where `complete`, the sum of the `parts` parts of a tile, of which this CTA's is number `own` and number i is in slot
    `slot` + i * `stride`. More than two parts are read in that order. To one of two the other is added, which is the same.
    Otherwise the CTA's own part.

    Constraints:
    - C1: the part is the result of a `tawa.store_part` and has its layout: threads read what threads of their number
      wrote.

    ```mlir
    %sum = tawa.sum_parts %kept at %own of %parts in %slot step %stride if %complete : tensor<64x16xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$part, I32:$own, I32:$parts, I32:$slot, I32:$stride, I1:$complete);
  let results = (outs AnyRankedTensor:$sum);
  let assemblyFormat =
      "$part `at` $own `of` $parts `in` $slot `step` $stride `if` $complete attr-dict `:` type($part)";
  let hasVerifier = 1;
}

//===--- Tiles that CTAs take one by one -----------------------------------------------------------------------------------===//

def Tawa_NextTileOp : Tawa_Op<"next_tile", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "take the next tile that no CTA has taken";
  let description = [{
    Resident CTAs begin with the tiles of their own numbers, below `first`, and are handed the `tiles` tiles of a launch one by one from
    there on: the result is `first` + the number of times that CTAs have asked before, a tile where it is below
    `tiles`. One thread of the role asks, and all threads have the answer. Where every tile is followed by one question, there are as many
    questions as tiles; after the last one the count is 0 again, for the next launch.

    Constraints:
    - C1: it is the only one of its kernel.

    ```mlir
    %next = tawa.next_tile from %ctas of %tiles : i32
    ```
  }];
  let arguments = (ins I32:$first, I32:$tiles);
  let results = (outs I32:$tile);
  let assemblyFormat = "`from` $first `of` $tiles attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

//===--- Where tensors live ---------------------------------------------------------------------------------------------===//

def Tawa_ConvertLayoutOp : Tawa_Op<"convert_layout", [Pure]> {
  let summary = "the same tensor in other registers";
  let description = [{
    Renames registers, shuffles inside warps or goes through scratch in shared memory, whichever the two maps ask for. The layouts
    may hold copies (zero bases), also in registers.

    Constraints:
    - C1: shape and element type stay; both types have a register layout.

    ```mlir
    %y = tawa.convert_layout %x : tensor<128x64xf32, #mma> -> tensor<128x64xf32, #blocked>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tawa_ToSharedOp : Tawa_Op<"to_shared", [MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "write a tensor to a buffer of its own in shared memory";
  let description = [{
    Afterwards every warp of the role, and the async proxy (wgmma), may read it. The buffer lives until the last use of the result;
    the lowering orders the write after earlier readers of the same bytes.

    Constraints:
    - C1: shape and element type stay; the source has a register layout, the result a shared one.
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Tawa_FromSharedOp : Tawa_Op<"from_shared", [MemoryEffects<[MemRead]>]> {
  let summary = "read a tile in shared memory (a slot of an aref, or what `to_shared` wrote) to registers";
  let description = [{
    The tile is read when the operation is executed; a slot may be released after that.

    Constraints:
    - C1: shape and element type stay; the source has a shared layout, the result a register one.
  }];
  let arguments = (ins AnyRankedTensor:$source);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

//===--- Asynchronous dots ----------------------------------------------------------------------------------------------===//

def Tawa_DotBeginOp : Tawa_Op<"dot_begin", [Pure]> {
  let summary = "hand a tensor to the tensor cores as an accumulator";
  let description = [{
    `overwritten`: the value is never read. The first dot that takes it replaces it (`adding if` false), and there is one; so the
    registers need not be set.
  }];
  let arguments = (ins AnyRankedTensor:$tensor, UnitAttr:$overwritten);
  let results = (outs Tawa_InflightType:$result);
  let assemblyFormat = "$tensor (`overwritten` $overwritten^)? attr-dict `:` type($tensor) `->` type($result)";
  let hasVerifier = 1;
}

def Tawa_DotIssueOp : Tawa_Op<"dot_issue", [MemoryEffects<[MemRead, MemWrite]>, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "start acc += a * b and commit it as one group";
  let description = [{
    `a` lies in shared memory or in registers (the layout wgmmaOperandA), `b` in shared memory. Returns at once. `a` and `b` must stay readable until a `tawa.dot_wait` covers the group: the paper's `WGMMA.issue`.

    Where `adds` is given and false, the product replaces the accumulator.

    Constraints: C1: a is MxK, b is KxN and the accumulator MxN.
  }];
  let arguments = (ins AnyRankedTensor:$a, AnyRankedTensor:$b, Tawa_InflightType:$accumulator, Optional<I1>:$adds);
  let results = (outs Tawa_InflightType:$result);
  let assemblyFormat = "$a `,` $b `,` $accumulator (`adding` `if` $adds^)? attr-dict `:` type($a) `,` type($b) `->` type($result)";
  let hasVerifier = 1;
}

def Tawa_DotWaitOp : Tawa_Op<"dot_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until at most `pendings` groups are unfinished";
  let description = [{
    Groups finish in the order of issue, so all but the youngest `pendings` are done afterwards, and what they read may be
    released. A result that is finished then may be the readable tensor.

    Constraints: C1: the result is the operand's type, or its tensor: with `pendings = 0`, or where the operand's last dot was
    issued in this block and `pendings` or more after it.
  }];
  let arguments = (ins Tawa_InflightType:$accumulator, I32Attr:$pendings);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$accumulator `pendings` `(` $pendings `)` attr-dict `:` type($accumulator) `->` type($result)";
  let hasVerifier = 1;
}

#endif
