// A whole GEMM at machine level, written by hand: C[M,N] = A[M,K] * B[N,K]^T in f16 with f32 accumulation, for K > 0. One producer and
// two consumer warp groups, tile 128 x 128 x 64, ring of two slots, the release of a slot delayed by one step, stmatrix and
// TMA store. Both back ends must take it; tests/unit/backends runs it on the emulated SM.
//
// RUN: tawa-opt %s --tawa-sm90-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: tawa-opt %s --tawa-sm90-to-host | FileCheck %s --check-prefix=HOST
// RUN: tawa-opt --mlir-pass-statistics %s --tawa-sm90-to-host -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// COUNTS-LABEL: {{^}}tawa-sm90-to-host{{$}}
// COUNTS: {{^ *}}80 num-lowered:

// PTX-LABEL: llvm.func @gemm
// PTX-COUNT-2: cp.async.bulk.tensor.2d.shared::cluster.global
// PTX-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// PTX: wgmma.commit_group.sync.aligned
// PTX: wgmma.wait_group.sync.aligned 1;
// PTX: wgmma.wait_group.sync.aligned 0;
// PTX-COUNT-8: stmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX: fence.proxy.async.shared::cta;
// PTX-COUNT-2: cp.async.bulk.tensor.2d.global.shared::cta.bulk_group
// PTX-NOT: sm90.

// HOST-LABEL: llvm.func @gemm(
// HOST-SAME: !llvm.ptr, %{{.*}}: !llvm.ptr)
// HOST-COUNT-2: llvm.call @tawa_emu_tma_load
// HOST: llvm.call @tawa_emu_back_edge
// HOST: llvm.call @tawa_emu_acc_new
// HOST-COUNT-4: llvm.call @tawa_emu_wgmma(
// HOST: llvm.call @tawa_emu_wgmma_wait
// HOST: llvm.call @tawa_emu_acc_read
// HOST-COUNT-8: llvm.call @tawa_emu_stmatrix
// HOST-NOT: sm90.

// Shared memory from the base: A slots at 0 and 16384, B slots at 32768 and 49152, C staging at 65536 (16384 per consumer
// group, two panels of 64 columns each), mbarriers at 98304: full, full, empty, empty.
func.func @gemm(%mapA: !sm90.tensormap, %mapB: !sm90.tensormap, %mapC: !sm90.tensormap, %k: i32)
    attributes {sm90.kernel, sm90.threads = 384 : i32, sm90.shared_bytes = 98336 : i32, sm90.entry_registers = 168 : i32} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c6 = arith.constant 6 : i32
  %c7 = arith.constant 7 : i32
  %c8 = arith.constant 8 : i32
  %c14 = arith.constant 14 : i32
  %c15 = arith.constant 15 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c127 = arith.constant 127 : i32
  %c128 = arith.constant 128 : i32
  %box = arith.constant 32768 : i32
  %cB = arith.constant 32768 : i32
  %cC = arith.constant 65536 : i32
  %cBar = arith.constant 98304 : i32
  %cEmpty = arith.constant 98320 : i32
  %c8192 = arith.constant 8192 : i32
  %c16 = arith.constant 16 : i32
  %true = arith.constant true
  %step = arith.constant 2 : i64
  %c4_i64 = arith.constant 4 : i64
  %addressMask = arith.constant 16383 : i64
  %layout = arith.constant 4611686293305360384 : i64 // 128-byte swizzle, 1024 bytes between groups of 8 rows

  %tid = sm90.special_register tid_x : i32
  %warp = sm90.special_register warpid : i32
  %lane = sm90.special_register laneid : i32
  %ctaM = sm90.special_register ctaid_x : i32
  %ctaN = sm90.special_register ctaid_y : i32
  %base = sm90.shared_base : i32
  %full = arith.addi %base, %cBar : i32
  %empty = arith.addi %base, %cEmpty : i32
  %group = arith.divui %tid, %c128 : i32
  %inGroup = arith.andi %tid, %c127 : i32
  %m0 = arith.muli %ctaM, %c128 : i32
  %n0 = arith.muli %ctaN, %c128 : i32
  %kUp = arith.addi %k, %c63 : i32
  %steps = arith.divui %kUp, %c64 : i32

  %isFirst = arith.cmpi eq, %tid, %c0 : i32
  scf.if %isFirst {
    %full1 = arith.addi %full, %c8 : i32
    %empty1 = arith.addi %empty, %c8 : i32
    sm90.mbarrier_init %full, 1
    sm90.mbarrier_init %full1, 1
    sm90.mbarrier_init %empty, 8
    sm90.mbarrier_init %empty1, 8
    sm90.fence_mbarrier_init
  }
  sm90.barrier_sync 0, 384

  %isProducer = arith.cmpi eq, %group, %c0 : i32
  scf.if %isProducer {
    sm90.set_max_registers dec 40
    %isLoader = arith.cmpi eq, %warp, %c0 : i32
    scf.if %isLoader {
      %leader = sm90.elect_sync : i1
      sm90.prefetch_tensormap %mapA if %leader
      sm90.prefetch_tensormap %mapB if %leader
      scf.for %i = %c0 to %steps step %c1 : i32 {
        %slot = arith.andi %i, %c1 : i32
        %round = arith.shrui %i, %c1 : i32
        %parity = arith.andi %round, %c1 : i32
        %freeParity = arith.xori %parity, %c1 : i32
        %barOffset = arith.muli %slot, %c8 : i32
        %fullI = arith.addi %full, %barOffset : i32
        %emptyI = arith.addi %empty, %barOffset : i32
        %slotOffset = arith.shli %slot, %c14 : i32
        %slotA = arith.addi %base, %slotOffset : i32
        %slotB = arith.addi %slotA, %cB : i32
        %k0 = arith.muli %i, %c64 : i32
        sm90.mbarrier_wait_parity %emptyI, %freeParity
        sm90.mbarrier_arrive_expect_tx %fullI, %box if %leader
        sm90.tma_load %slotA, %mapA[%k0, %m0], %fullI if %leader
        sm90.tma_load %slotB, %mapB[%k0, %n0], %fullI if %leader
      }
    }
  } else {
    sm90.set_max_registers inc 232
    %consumer = arith.subi %group, %c1 : i32
    %leader = arith.cmpi eq, %inGroup, %c0 : i32
    %isLane0 = arith.cmpi eq, %lane, %c0 : i32
    %rowsOffset = arith.muli %consumer, %c8192 : i32
    %none = sm90.acc_undef : !sm90.inflight<64x128xf32>
    %last = scf.for %i = %c0 to %steps step %c1 iter_args(%acc = %none) -> (!sm90.inflight<64x128xf32>) : i32 {
      %slot = arith.andi %i, %c1 : i32
      %round = arith.shrui %i, %c1 : i32
      %parity = arith.andi %round, %c1 : i32
      %barOffset = arith.muli %slot, %c8 : i32
      %fullI = arith.addi %full, %barOffset : i32
      %slotOffset = arith.shli %slot, %c14 : i32
      %slotA0 = arith.addi %base, %slotOffset : i32
      %slotA = arith.addi %slotA0, %rowsOffset : i32
      %slotB = arith.addi %slotA0, %cB : i32
      sm90.mbarrier_wait_parity %fullI, %parity
      %addressA = arith.extui %slotA : i32 to i64
      %unitsA = arith.shrui %addressA, %c4_i64 : i64
      %fieldA = arith.andi %unitsA, %addressMask : i64
      %descA0 = arith.ori %fieldA, %layout : i64
      %addressB = arith.extui %slotB : i32 to i64
      %unitsB = arith.shrui %addressB, %c4_i64 : i64
      %fieldB = arith.andi %unitsB, %addressMask : i64
      %descB0 = arith.ori %fieldB, %layout : i64
      %notFirst = arith.cmpi ne, %i, %c0 : i32
      sm90.wgmma_fence
      %d0 = sm90.wgmma %acc, %descA0, %descB0, %notFirst {aType = f16, bType = f16} : !sm90.inflight<64x128xf32>
      %descA1 = arith.addi %descA0, %step : i64
      %descB1 = arith.addi %descB0, %step : i64
      %d1 = sm90.wgmma %d0, %descA1, %descB1, %true {aType = f16, bType = f16} : !sm90.inflight<64x128xf32>
      %descA2 = arith.addi %descA1, %step : i64
      %descB2 = arith.addi %descB1, %step : i64
      %d2 = sm90.wgmma %d1, %descA2, %descB2, %true {aType = f16, bType = f16} : !sm90.inflight<64x128xf32>
      %descA3 = arith.addi %descA2, %step : i64
      %descB3 = arith.addi %descB2, %step : i64
      %d3 = sm90.wgmma %d2, %descA3, %descB3, %true {aType = f16, bType = f16} : !sm90.inflight<64x128xf32>
      sm90.wgmma_commit
      // At most this step's group stays pending: the step before has read its slot, which goes back to the producer.
      // A warp's wait speaks for that warp only, so that each of the eight arrives.
      %kept = sm90.wgmma_wait 1 %d3 : (!sm90.inflight<64x128xf32>) -> !sm90.inflight<64x128xf32>
      %before = arith.xori %slot, %c1 : i32
      %beforeOffset = arith.muli %before, %c8 : i32
      %emptyBefore = arith.addi %empty, %beforeOffset : i32
      %releases = arith.andi %notFirst, %isLane0 : i1
      sm90.mbarrier_arrive %emptyBefore if %releases
      scf.yield %kept : !sm90.inflight<64x128xf32>
    }
    %result = sm90.wgmma_wait 0 %last : (!sm90.inflight<64x128xf32>) -> !sm90.accumulator<64x128xf32>
    %r:64 = sm90.unpack %result : !sm90.accumulator<64x128xf32>
    %h0 = sm90.cvt_pack %r#0, %r#1 {type = f16} : (f32, f32) -> i32
    %h1 = sm90.cvt_pack %r#2, %r#3 {type = f16} : (f32, f32) -> i32
    %h2 = sm90.cvt_pack %r#4, %r#5 {type = f16} : (f32, f32) -> i32
    %h3 = sm90.cvt_pack %r#6, %r#7 {type = f16} : (f32, f32) -> i32
    %h4 = sm90.cvt_pack %r#8, %r#9 {type = f16} : (f32, f32) -> i32
    %h5 = sm90.cvt_pack %r#10, %r#11 {type = f16} : (f32, f32) -> i32
    %h6 = sm90.cvt_pack %r#12, %r#13 {type = f16} : (f32, f32) -> i32
    %h7 = sm90.cvt_pack %r#14, %r#15 {type = f16} : (f32, f32) -> i32
    %h8 = sm90.cvt_pack %r#16, %r#17 {type = f16} : (f32, f32) -> i32
    %h9 = sm90.cvt_pack %r#18, %r#19 {type = f16} : (f32, f32) -> i32
    %h10 = sm90.cvt_pack %r#20, %r#21 {type = f16} : (f32, f32) -> i32
    %h11 = sm90.cvt_pack %r#22, %r#23 {type = f16} : (f32, f32) -> i32
    %h12 = sm90.cvt_pack %r#24, %r#25 {type = f16} : (f32, f32) -> i32
    %h13 = sm90.cvt_pack %r#26, %r#27 {type = f16} : (f32, f32) -> i32
    %h14 = sm90.cvt_pack %r#28, %r#29 {type = f16} : (f32, f32) -> i32
    %h15 = sm90.cvt_pack %r#30, %r#31 {type = f16} : (f32, f32) -> i32
    %h16 = sm90.cvt_pack %r#32, %r#33 {type = f16} : (f32, f32) -> i32
    %h17 = sm90.cvt_pack %r#34, %r#35 {type = f16} : (f32, f32) -> i32
    %h18 = sm90.cvt_pack %r#36, %r#37 {type = f16} : (f32, f32) -> i32
    %h19 = sm90.cvt_pack %r#38, %r#39 {type = f16} : (f32, f32) -> i32
    %h20 = sm90.cvt_pack %r#40, %r#41 {type = f16} : (f32, f32) -> i32
    %h21 = sm90.cvt_pack %r#42, %r#43 {type = f16} : (f32, f32) -> i32
    %h22 = sm90.cvt_pack %r#44, %r#45 {type = f16} : (f32, f32) -> i32
    %h23 = sm90.cvt_pack %r#46, %r#47 {type = f16} : (f32, f32) -> i32
    %h24 = sm90.cvt_pack %r#48, %r#49 {type = f16} : (f32, f32) -> i32
    %h25 = sm90.cvt_pack %r#50, %r#51 {type = f16} : (f32, f32) -> i32
    %h26 = sm90.cvt_pack %r#52, %r#53 {type = f16} : (f32, f32) -> i32
    %h27 = sm90.cvt_pack %r#54, %r#55 {type = f16} : (f32, f32) -> i32
    %h28 = sm90.cvt_pack %r#56, %r#57 {type = f16} : (f32, f32) -> i32
    %h29 = sm90.cvt_pack %r#58, %r#59 {type = f16} : (f32, f32) -> i32
    %h30 = sm90.cvt_pack %r#60, %r#61 {type = f16} : (f32, f32) -> i32
    %h31 = sm90.cvt_pack %r#62, %r#63 {type = f16} : (f32, f32) -> i32

    // Lane l names row l mod 16 of its warp's 16 rows and, in its upper half, the next 16 bytes; the 128-byte swizzle
    // exchanges the eight 16-byte pieces of a row.
    %inGroupWarp = arith.andi %warp, %c3 : i32
    %warpRow = arith.muli %inGroupWarp, %c16 : i32
    %laneRow = arith.andi %lane, %c15 : i32
    %row = arith.addi %warpRow, %laneRow : i32
    %rowOffset = arith.muli %row, %c128 : i32
    %swizzle = arith.andi %lane, %c7 : i32
    %piece = arith.shrui %lane, %c4 : i32
    %staging0 = arith.addi %base, %cC : i32
    %groupOffset = arith.shli %consumer, %c14 : i32
    %staging = arith.addi %staging0, %groupOffset : i32
    %rowBase0 = arith.addi %staging, %rowOffset : i32
    %rowBase1 = arith.addi %rowBase0, %c8192 : i32
    %piece0 = arith.addi %piece, %c0 : i32
    %piece1 = arith.addi %piece, %c2 : i32
    %piece2 = arith.addi %piece, %c4 : i32
    %piece3 = arith.addi %piece, %c6 : i32
    %mixed0 = arith.xori %piece0, %swizzle : i32
    %bytes0 = arith.muli %mixed0, %c16 : i32
    %mixed1 = arith.xori %piece1, %swizzle : i32
    %bytes1 = arith.muli %mixed1, %c16 : i32
    %mixed2 = arith.xori %piece2, %swizzle : i32
    %bytes2 = arith.muli %mixed2, %c16 : i32
    %mixed3 = arith.xori %piece3, %swizzle : i32
    %bytes3 = arith.muli %mixed3, %c16 : i32
    %place0 = arith.addi %rowBase0, %bytes0 : i32
    sm90.stmatrix %place0, %h0, %h1, %h2, %h3
    %place1 = arith.addi %rowBase0, %bytes1 : i32
    sm90.stmatrix %place1, %h4, %h5, %h6, %h7
    %place2 = arith.addi %rowBase0, %bytes2 : i32
    sm90.stmatrix %place2, %h8, %h9, %h10, %h11
    %place3 = arith.addi %rowBase0, %bytes3 : i32
    sm90.stmatrix %place3, %h12, %h13, %h14, %h15
    %place4 = arith.addi %rowBase1, %bytes0 : i32
    sm90.stmatrix %place4, %h16, %h17, %h18, %h19
    %place5 = arith.addi %rowBase1, %bytes1 : i32
    sm90.stmatrix %place5, %h20, %h21, %h22, %h23
    %place6 = arith.addi %rowBase1, %bytes2 : i32
    sm90.stmatrix %place6, %h24, %h25, %h26, %h27
    %place7 = arith.addi %rowBase1, %bytes3 : i32
    sm90.stmatrix %place7, %h28, %h29, %h30, %h31
    sm90.fence_proxy_async
    %isFirstGroup = arith.cmpi eq, %consumer, %c0 : i32
    scf.if %isFirstGroup {
      sm90.barrier_sync 1, 128
    } else {
      sm90.barrier_sync 2, 128
    }
    %n1 = arith.addi %n0, %c64 : i32
    %groupRows = arith.muli %consumer, %c64 : i32
    %row0 = arith.addi %m0, %groupRows : i32
    %panel1 = arith.addi %staging, %c8192 : i32
    sm90.tma_store %mapC[%n0, %row0], %staging if %leader
    sm90.tma_store %mapC[%n1, %row0], %panel1 if %leader
    sm90.bulk_commit if %leader
    sm90.bulk_wait 0 {read}
  }
  return
}
