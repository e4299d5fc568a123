// Why a kernel runs without a cluster.
// RUN: tawa-opt %s --tawa-multicast-tiles="cluster=2" -split-input-file | FileCheck %s --implicit-check-not=tawa.cluster --implicit-check-not="shared("
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-multicast-tiles="cluster=2" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-multicast-tiles{{$}}
// COUNTS: {{^ *}}8 num-kept:
// COUNTS-NEXT: 4 how often the shareable tiles are loaded depends on the program, so the CTAs of a cluster would not stay in step
// COUNTS-NEXT: 3 no tile is known to be the same for neighbouring programs, so a cluster would share nothing
// COUNTS-NEXT: 1 with the CTAs that share each program's sum (split) a cluster would have more than eight CTAs

// The coordinate is the program's own number.
// CHECK: tawa.not_applied = {cluster = "no tile is known to be the same for neighbouring programs, so a cluster would share nothing"}
tt.func public @own(%d: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %program = tt.get_program_id x : i32
    %a = tt.descriptor_load %d[%program, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    tawa.put %ring[%c0], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
  }
  tt.return
}

// -----

// A causal loop: its end is the program's own, so the CTAs would put different numbers of tiles.
// CHECK: tawa.not_applied = {cluster = "how often the shareable tiles are loaded depends on the program, so the CTAs of a cluster would not stay in step"}
tt.func public @causal(%d: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %program = tt.get_program_id x : i32
    %count = scf.for %k = %c0 to %program step %c1 iter_args(%i = %c0) -> (i32) : i32 {
      %a = tt.descriptor_load %d[%k, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%i], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %i, %c1 : i32
      scf.yield %next : i32
    }
  }
  tt.return
}

// -----

// An early return of some programs.
// CHECK: tawa.not_applied = {cluster = "how often the shareable tiles are loaded depends on the program, so the CTAs of a cluster would not stay in step"}
tt.func public @early_return(%d: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %program = tt.get_program_id x : i32
    %works = arith.cmpi slt, %program, %n : i32
    scf.if %works {
      %a = tt.descriptor_load %d[%n, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%c0], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
    }
  }
  tt.return
}

// -----

// A walk over tiles in odd steps: after the first round neighbours may have one tile more or less.
// CHECK: tawa.not_applied = {cluster = "how often the shareable tiles are loaded depends on the program, so the CTAs of a cluster would not stay in step"}
tt.func public @odd_steps(%d: !tt.tensordesc<tensor<64x64xf16>>) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c7 = arith.constant 7 : i32
    %c64 = arith.constant 64 : i32
    %program = tt.get_program_id x : i32
    %count = scf.for %t = %program to %c64 step %c7 iter_args(%i = %c0) -> (i32) : i32 {
      %a = tt.descriptor_load %d[%c0, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tawa.put %ring[%i], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
      %next = arith.addi %i, %c1 : i32
      scf.yield %next : i32
    }
  }
  tt.return
}

// -----

// Eight rows of 64 bytes cannot be cut into parts that begin at places for TMA, as rows of 128 bytes could.
// CHECK: tawa.not_applied = {cluster = "no tile is known to be the same for neighbouring programs, so a cluster would share nothing"}
tt.func public @eight_rows(%d: !tt.tensordesc<tensor<8x32xf16>>, %n: i32) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<8x32xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %a = tt.descriptor_load %d[%n, %c0] : !tt.tensordesc<tensor<8x32xf16>> -> tensor<8x32xf16>
    tawa.put %ring[%c0], %a : !tawa.aref<2, [tensor<8x32xf16>]>, tensor<8x32xf16>
  }
  tt.return
}

// -----

// A coordinate read from memory is not compared: the neighbour may read it at another time.
// CHECK: tawa.not_applied = {cluster = "no tile is known to be the same for neighbouring programs, so a cluster would share nothing"}
tt.func public @from_memory(%d: !tt.tensordesc<tensor<64x64xf16>>, %p: !tt.ptr<i32>) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %y = tt.load %p : !tt.ptr<i32>
    %a = tt.descriptor_load %d[%y, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    tawa.put %ring[%c0], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
  }
  tt.return
}

// -----

// Six CTAs run each program together.
// CHECK: tawa.not_applied = {cluster = "with the CTAs that share each program's sum (split) a cluster would have more than eight CTAs"}
tt.func public @split(%d: !tt.tensordesc<tensor<64x64xf16>>, %n: i32) attributes {tawa.split = 6 : i32} {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %a = tt.descriptor_load %d[%n, %c0] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
    tawa.put %ring[%c0], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
  }
  tt.return
}

// -----

// Parts of tiles whose number two need not divide: neighbours may have different parts.
// CHECK: tawa.not_applied = {cluster = "how often the shareable tiles are loaded depends on the program, so the CTAs of a cluster would not stay in step"}
tt.func public @parts(%d: !tt.tensordesc<tensor<64x64xf16>>, %tiles: i32, %each: i32) {
  %ring = tawa.create_aref : !tawa.aref<2, [tensor<64x64xf16>]>
  tawa.warp_group producer warps(4) registers(40) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %program = tt.get_program_id x : i32
    %programs = tt.get_num_programs x : i32
    %count = scf.for %unit = %program to %c64 step %programs iter_args(%i = %c0) -> (i32) : i32 {
      %part = arith.divui %unit, %tiles : i32
      %end = arith.addi %part, %each : i32
      %inner = scf.for %k = %c0 to %end step %c1 iter_args(%j = %i) -> (i32) : i32 {
        %a = tt.descriptor_load %d[%c0, %k] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
        tawa.put %ring[%j], %a : !tawa.aref<2, [tensor<64x64xf16>]>, tensor<64x64xf16>
        %next = arith.addi %j, %c1 : i32
        scf.yield %next : i32
      }
      scf.yield %inner : i32
    }
  }
  tt.return
}
