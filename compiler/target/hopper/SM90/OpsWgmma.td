// Warp-group matrix multiply-accumulate, and the operations on its accumulators.
#ifndef TAWA_DIALECT_SM90_OPSWGMMA_TD
#define TAWA_DIALECT_SM90_OPSWGMMA_TD

include "compiler/target/hopper/SM90/OpBase.td"

// Making an accumulator takes registers (on the host: a slot). The allocation effect keeps two of them from being
// merged into one, while an unused one may go.
def SM90_AccUndefOp : SM90_Op<"acc_undef"> {
  let summary = "an accumulator with undefined contents";
  let description = [{
    The first wgmma that takes it has scale-d false.

    ```mlir
    %acc = sm90.acc_undef : !sm90.inflight<64x256xf32>
    ```
  }];
  let results = (outs Res<SM90_Inflight, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def SM90_ResumeOp : SM90_Op<"resume"> {
  let summary = "hand a readable accumulator to wgmma";
  let description = [{
    The result starts with the operand's contents. No instruction on PTX. A `wgmma_fence` comes between this and the first
    wgmma that takes the result.

    Constraints:
    C1: both sides have the same shape and element type.

    ```mlir
    %acc = sm90.resume %scaled : !sm90.accumulator<64x256xf32> -> !sm90.inflight<64x256xf32>
    ```
  }];
  let arguments = (ins SM90_Accumulator:$accumulator);
  let results = (outs Res<SM90_Inflight, "", [MemAlloc]>:$result);
  let assemblyFormat = "$accumulator attr-dict `:` type($accumulator) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$accumulator)>];
  let hasVerifier = 1;
}

def SM90_PackOp : SM90_Op<"pack", [Pure,
    RangedTypesMatchWith<"one register of the accumulator's register type for each it has", "result", "registers",
                         "::tawa::sm90::registerTypes($_self)">]> {
  let summary = "a readable accumulator from a thread's registers";
  let description = [{
    Constraints:
    C1: n/2 operands of f32 or i32 (n/4 of i32, two halves each, for f16), in the order of the D fragment.

    ```mlir
    %acc = sm90.pack %r0, %r1, %r2, %r3 : !sm90.accumulator<64x8xf32>
    ```
  }];
  let arguments = (ins Variadic<SM90_Word>:$registers);
  let results = (outs SM90_Accumulator:$result);
  let assemblyFormat = "$registers attr-dict `:` type($result)";
}

def SM90_UnpackOp : SM90_Op<"unpack", [Pure, InferTypeOpAdaptor]> {
  let summary = "a thread's registers of a readable accumulator";
  let description = [{
    The reverse of `pack`; its constraint C1 holds for the results.

    ```mlir
    %r:4 = sm90.unpack %acc : !sm90.accumulator<64x8xf32>
    ```
  }];
  let arguments = (ins SM90_Accumulator:$accumulator);
  let results = (outs Variadic<SM90_Word>:$registers);
  let assemblyFormat = "$accumulator attr-dict `:` type($accumulator)";
}

def SM90_WgmmaFenceOp : SM90_Op<"wgmma_fence"> {
  let summary = "order register and shared memory accesses before the wgmmas that follow";
  let description = [{
    wgmma.fence.sync.aligned: before the first wgmma of a kernel, and whenever registers of an accumulator or of A were
    written otherwise since.

    ```mlir
    sm90.wgmma_fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

class SM90_WgmmaBase<string opMnemonic> : SM90_Op<opMnemonic, [AllTypesMatch<["accumulator", "result"]>]> {
  let results = (outs SM90_Inflight:$result);
  let hasVerifier = 1;
  code commonDeclaration = [{
    /// The instruction's K: 32 bytes of A along a row.
    int64_t getK() { return wgmmaK(getAType()); }
  }];
}

def SM90_WgmmaOp : SM90_WgmmaBase<"wgmma"> {
  let summary = "D = A * B + D, one m64nNkK instruction, A and B in shared memory";
  let description = [{
    wgmma.mma_async.sync.aligned, executed by the 128 threads of a warp group. A (64 x K) and B (K x N) are described by
    64-bit matrix descriptors. Without `transA` / `transB` both are K-major. With scaleD false, D is not read.
    K is 16 for 16-bit, 8 for tf32 (`aType = tf32`), 32 for 8-bit elements.

    The result names the operand's registers: the operand must have no other use.

    Constraints:
    C1: aType, bType and the element of D are one of: f16 f16 -> f32 or f16; bf16 bf16 -> f32; tf32 tf32 -> f32;
        f8E4M3FN or f8E5M2, either side -> f32 or f16; i8 i8 -> i32.
    C2: `transA` and `transB` only with 16-bit elements.
    C3: `negA` and `negB` not with i8.
    C4: with i8, n is 8, 24 or a multiple of 16.
    C5: an in-flight value has one use on every path, and does not enter a loop except as the loop's operand.

    ```mlir
    %d = sm90.wgmma %acc, %descA, %descB, %notFirst {aType = f16, bType = f16} : !sm90.inflight<64x256xf32>
    ```
  }];
  let arguments = (ins SM90_Inflight:$accumulator, I64:$descA, I64:$descB, I1:$scaleD, TypeAttr:$aType, TypeAttr:$bType,
                       UnitAttr:$transA, UnitAttr:$transB, UnitAttr:$negA, UnitAttr:$negB);
  let assemblyFormat = "$accumulator `,` $descA `,` $descB `,` $scaleD attr-dict `:` type($result)";
  let extraClassDeclaration = commonDeclaration;
}

def SM90_WgmmaRsOp : SM90_WgmmaBase<"wgmma_rs"> {
  let summary = "D = A * B + D with A in registers";
  let description = [{
    As `wgmma`, but A comes from four 32-bit registers of every thread, in the order the PTX ISA gives for the A fragment.
    They must not be written again before a wait that covers this wgmma.

    Constraints: C1 and C3 to C5 of `wgmma`.
    C2: `transB` only with 16-bit elements.

    ```mlir
    %d = sm90.wgmma_rs %acc, (%a0, %a1, %a2, %a3), %descB, %true {aType = f16, bType = f16} : !sm90.inflight<64x256xf32>
    ```
  }];
  let arguments = (ins SM90_Inflight:$accumulator, I32:$a0, I32:$a1, I32:$a2, I32:$a3, I64:$descB, I1:$scaleD,
                       TypeAttr:$aType, TypeAttr:$bType, UnitAttr:$transB, UnitAttr:$negA, UnitAttr:$negB);
  let assemblyFormat = [{
    $accumulator `,` `(` $a0 `,` $a1 `,` $a2 `,` $a3 `)` `,` $descB `,` $scaleD attr-dict `:` type($result)
  }];
  let extraClassDeclaration = commonDeclaration;
}

def SM90_WgmmaCommitOp : SM90_Op<"wgmma_commit"> {
  let summary = "close the group of wgmmas issued since the last commit";
  let description = [{
    ```mlir
    sm90.wgmma_commit
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def SM90_WgmmaWaitOp : SM90_Op<"wgmma_wait"> {
  let summary = "wait until at most N groups are pending";
  let description = [{
    wgmma.wait_group.sync.aligned. Every accumulator that lives across the wait is passed through it; a result is either still
    in flight (the operand's type) or readable (its accumulator type) where the wait covers every wgmma that wrote it.

    Constraints:
    C1: results and operands match one to one: same type, or the accumulator type of the operand's.
    C2: 0 to 127 pendings. Groups that are merged on the way to PTX count as one; of those that are left, PTX names 7 at most,
        and a wait that leaves fewer in flight covers as much.
    C3: a readable result whose last wgmma stands in this block needs more commits than `pendings` between that wgmma and
        the wait. With pendings > 0, its last wgmma must stand in this block.
    C4: constraint C5 of `wgmma` holds for every operand.

    ```mlir
    sm90.wgmma_commit
    %r:2 = sm90.wgmma_wait 1 %s, %o : (!sm90.inflight<64x128xf32>, !sm90.inflight<64x64xf32>)
        -> (!sm90.accumulator<64x128xf32>, !sm90.inflight<64x64xf32>)
    ```
  }];
  let arguments = (ins I32Attr:$pendings, Variadic<SM90_Inflight>:$accumulators);
  let results = (outs Variadic<SM90_AnyFragment>:$results);
  let assemblyFormat = "$pendings ($accumulators^)? attr-dict `:` functional-type($accumulators, $results)";
  let hasVerifier = 1;
}

#endif // TAWA_DIALECT_SM90_OPSWGMMA_TD
