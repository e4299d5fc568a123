// Errors of the verifiers, each with the violated constraint.
//
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

func.func @register_count() {
  // expected-error@+1 {{register count 236 is not a multiple of 8 from 24 to 256 (C1)}}
  sm90.set_max_registers inc 236
  return
}

// -----

func.func @wait_of_some(%some: i1) {
  scf.if %some {
    // expected-error@+1 {{does not stand in the kernel's outermost block, where all threads come (C1)}}
    sm90.grid_dependency_wait
  }
  return
}

// -----

func.func @wait_too_late(%some: i1, %p: !llvm.ptr<1>) {
  %next = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  // expected-note@+1 {{this one}}
  scf.if %some {
    %x = sm90.load_global %next : i32
  }
  // expected-error@+1 {{comes after an access of global memory (C2)}}
  sm90.grid_dependency_wait
  return
}

// -----

func.func @wait_behind_a_copy(%map: !sm90.tensormap, %c: i32) {
  // expected-note@+1 {{this one}}
  sm90.tma_load %c, %map[%c, %c], %c
  // expected-error@+1 {{comes after an access of global memory (C2)}}
  sm90.grid_dependency_wait
  return
}

// -----

func.func @arrival_count(%address: i32) {
  // expected-error@+1 {{arrival count 0 is not from 1 to 1048575 (C1)}}
  sm90.mbarrier_init %address, 0
  return
}

// -----

func.func @barrier_id() {
  // expected-error@+1 {{barrier id 16 is not from 0 to 15 (C1)}}
  sm90.barrier_sync 16, 128
  return
}

// -----

func.func @barrier_threads() {
  // expected-error@+1 {{thread count 100 is not a multiple of 32 from 32 to 1024 (C2)}}
  sm90.barrier_arrive 1, 100
  return
}

// -----

func.func @rank(%map: !sm90.tensormap, %c: i32) {
  // expected-error@+1 {{6 coordinates; TMA takes one to five (C1)}}
  sm90.tma_load %c, %map[%c, %c, %c, %c, %c, %c], %c
  return
}

// -----

func.func @bulk_pendings() {
  // expected-error@+1 {{the number of pending groups is negative (C1)}}
  sm90.bulk_wait -1
  return
}

// -----

// expected-error@+1 {{a fragment is 64 x n with n a multiple of 8 from 8 to 256, not 64 x 264 (C1)}}
func.func @fragment_shape(%a: !sm90.inflight<64x264xf32>) {
  return
}

// -----

// expected-error@+1 {{a fragment holds f32, f16 or i32, not 'bf16' (C2)}}
func.func @fragment_element(%a: !sm90.accumulator<64x8xbf16>) {
  return
}

// -----

func.func @pack_count(%x: f32) {
  // expected-error@+1 {{one register of the accumulator's register type for each it has}}
  %a = "sm90.pack"(%x, %x, %x) : (f32, f32, f32) -> !sm90.accumulator<64x8xf32>
  return
}

// -----

func.func @resume_type(%a: !sm90.accumulator<64x8xf32>) {
  // expected-error@+1 {{cannot resume '!sm90.accumulator<64x8xf32>' as '!sm90.inflight<64x16xf32>' (C1)}}
  %b = sm90.resume %a : !sm90.accumulator<64x8xf32> -> !sm90.inflight<64x16xf32>
  return
}

// -----

func.func @element_types(%acc: !sm90.inflight<64x8xf16>, %d: i64, %s: i1) {
  // expected-error@+1 {{no wgmma multiplies 'bf16' by 'bf16' into 'f16' (C1)}}
  %r = sm90.wgmma %acc, %d, %d, %s {aType = bf16, bType = bf16} : !sm90.inflight<64x8xf16>
  return
}

// -----

func.func @transposed_fp8(%acc: !sm90.inflight<64x8xf32>, %d: i64, %s: i1) {
  // expected-error@+1 {{only 16-bit elements can be transposed, not 'f8E4M3FN' (C2)}}
  %r = sm90.wgmma %acc, %d, %d, %s {aType = f8E4M3FN, bType = f8E4M3FN, transB} : !sm90.inflight<64x8xf32>
  return
}

// -----

func.func @negated_integers(%acc: !sm90.inflight<64x8xi32>, %d: i64, %s: i1) {
  // expected-error@+1 {{i8 operands cannot be negated (C3)}}
  %r = sm90.wgmma %acc, %d, %d, %s {aType = i8, bType = i8, negA} : !sm90.inflight<64x8xi32>
  return
}

// -----

func.func @integer_columns(%acc: !sm90.inflight<64x40xi32>, %d: i64, %s: i1) {
  // expected-error@+1 {{with i8, n is 8, 24 or a multiple of 16, not 40 (C4)}}
  %r = sm90.wgmma %acc, %d, %d, %s {aType = i8, bType = i8} : !sm90.inflight<64x40xi32>
  return
}

// -----

// An in-flight accumulator names registers in place: two uses on one path cannot both have them.
func.func @two_uses(%acc: !sm90.inflight<64x8xf32>, %d: i64, %s: i1) {
  // expected-error@+1 {{an in-flight accumulator is used twice on one path (C5)}}
  %a = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  // expected-note@+1 {{other use}}
  %b = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  return
}

// -----

func.func @twice_in_one_wait(%acc: !sm90.inflight<64x8xf32>) {
  // expected-error@+2 {{an in-flight accumulator is used twice on one path (C5)}}
  // expected-note@+1 {{other use}}
  %r:2 = sm90.wgmma_wait 0 %acc, %acc : (!sm90.inflight<64x8xf32>, !sm90.inflight<64x8xf32>)
      -> (!sm90.inflight<64x8xf32>, !sm90.inflight<64x8xf32>)
  return
}

// -----

// A use in a branch and one after it are on one path.
func.func @branch_and_after(%acc: !sm90.inflight<64x8xf32>, %d: i64, %s: i1) {
  scf.if %s {
    // expected-error@+1 {{an in-flight accumulator is used twice on one path (C5)}}
    %a = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  }
  // expected-note@+1 {{other use}}
  %b = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  return
}

// -----

func.func @enters_a_loop(%acc: !sm90.inflight<64x8xf32>, %d: i64, %s: i1, %n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error@+1 {{an in-flight accumulator enters a loop only as the loop's operand (C5)}}
    %a = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  }
  return
}

// -----

// The two branches of an scf.if are two paths.
func.func @two_branches(%acc: !sm90.inflight<64x8xf32>, %d: i64, %s: i1) {
  %r = scf.if %s -> (!sm90.inflight<64x8xf32>) {
    %a = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
    scf.yield %a : !sm90.inflight<64x8xf32>
  } else {
    %b = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16, negA} : !sm90.inflight<64x8xf32>
    scf.yield %b : !sm90.inflight<64x8xf32>
  }
  return
}

// -----

func.func @wait_pendings() {
  // expected-error@+1 {{128 pending groups, expected 0 to 127 (C2)}}
  sm90.wgmma_wait 128 : () -> ()
  return
}

// -----

func.func @wait_types(%acc: !sm90.inflight<64x8xf32>) {
  // expected-error@+1 {{gives '!sm90.accumulator<64x16xf32>' for '!sm90.inflight<64x8xf32>' (C1)}}
  %r = sm90.wgmma_wait 0 %acc : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x16xf32>
  return
}

// -----

func.func @wait_counts(%acc: !sm90.inflight<64x8xf32>) {
  // expected-error@+1 {{1 accumulators but 0 results (C1)}}
  sm90.wgmma_wait 0 %acc : (!sm90.inflight<64x8xf32>) -> ()
  return
}

// -----

// One group stays pending, and it is the one that wrote the accumulator.
func.func @not_covered(%acc: !sm90.inflight<64x8xf32>, %d: i64, %s: i1) {
  // expected-note@+1 {{last written here}}
  %a = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  // expected-error@+1 {{leaves 1 groups pending, but only 1 were committed since the accumulator was last written}}
  %r = sm90.wgmma_wait 1 %a : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  return
}

// -----

// A wait covers only what has been committed.
func.func @not_committed(%acc: !sm90.inflight<64x8xf32>, %d: i64, %s: i1) {
  // expected-note@+1 {{last written here}}
  %a = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  // expected-error@+1 {{leaves 0 groups pending, but only 0 were committed}}
  %r = sm90.wgmma_wait 0 %a : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  return
}

// -----

// Seen through a wait that left it in flight.
func.func @not_covered_twice(%acc: !sm90.inflight<64x8xf32>, %d: i64, %s: i1) {
  // expected-note@+1 {{last written here}}
  %a = sm90.wgmma %acc, %d, %d, %s {aType = f16, bType = f16} : !sm90.inflight<64x8xf32>
  sm90.wgmma_commit
  %b = sm90.wgmma_wait 2 %a : (!sm90.inflight<64x8xf32>) -> !sm90.inflight<64x8xf32>
  // expected-error@+1 {{it is not readable yet (C3)}}
  %r = sm90.wgmma_wait 1 %b : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  return
}

// -----

func.func @written_elsewhere(%acc: !sm90.inflight<64x8xf32>) {
  // expected-error@+1 {{only an accumulator whose last wgmma stands in this block can become readable (C3)}}
  %r = sm90.wgmma_wait 1 %acc : (!sm90.inflight<64x8xf32>) -> !sm90.accumulator<64x8xf32>
  return
}

// -----

func.func @matrices(%address: i32) {
  // expected-error@+1 {{3 registers, expected 1, 2 or 4 (C1)}}
  sm90.stmatrix %address, %address, %address, %address
  return
}

// -----

func.func @rounding(%x: f32) {
  // expected-error@+1 {{rounds to f16 or bf16, not 'f32' (C1)}}
  %a = sm90.cvt_pack %x, %x {type = f32} : (f32, f32) -> i32
  return
}

// -----

// expected-error@+1 {{needs the i32 attribute 'sm90.threads'}}
func.func @kernel_threads() attributes {sm90.kernel} {
  return
}

// -----

// expected-error@+1 {{'sm90.threads' is 100, expected 32 to 1024 and a multiple of 32}}
func.func @kernel_threads() attributes {sm90.kernel, sm90.threads = 100 : i32, sm90.shared_bytes = 0 : i32} {
  return
}

// -----

// expected-error@+1 {{'sm90.shared_bytes' is 232449, expected 0 to 232448}}
func.func @kernel_shared() attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 232449 : i32} {
  return
}

// -----

// expected-error@+1 {{'sm90.cluster' must hold positive sizes with a product of at most 16}}
func.func @kernel_cluster() attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32,
                                        sm90.cluster = array<i32: 4, 8, 1>} {
  return
}

// -----

// expected-error@+1 {{'sm90.entry_registers' 200 times 384 threads exceeds the 65536 registers of an SM}}
func.func @kernel_registers() attributes {sm90.kernel, sm90.threads = 384 : i32, sm90.shared_bytes = 0 : i32,
                                          sm90.entry_registers = 200 : i32} {
  return
}

// -----

// expected-error@+1 {{argument 1 of a kernel has type 'i1'}}
func.func @kernel_argument(%a: i32, %b: i1) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  return
}

// -----

func.func @vector_of_three(%a: i32) {
  // expected-error@+1 {{moves 3 scalars, expected 1, 2, 4, 8 or 16 (C1)}}
  %x:3 = sm90.load_shared %a : i32, i32, i32
  return
}

// -----

func.func @vector_too_wide(%a: i32) {
  // expected-error@+1 {{several scalars must be of one type and 16 bytes at most (C1)}}
  %x:4 = sm90.load_shared %a : i64, i64, i64, i64
  return
}

// -----

func.func @store_modifier_on_load(%p: !llvm.ptr<1>) {
  // expected-error@+1 {{has no cache modifier wt (C3)}}
  %x = sm90.load_global %p cache wt : i32
  return
}

// -----

func.func @load_modifier_on_store(%p: !llvm.ptr<1>, %x: i32) {
  // expected-error@+1 {{has no cache modifier ca (C3)}}
  sm90.store_global %p, %x cache ca : i32
  return
}

// -----

func.func @cp_async_bytes(%p: !llvm.ptr<1>, %a: i32) {
  // expected-error@+1 {{copies 12 bytes, expected 4, 8 or 16 (C1)}}
  sm90.cp_async %a, %p, 12
  return
}

// -----

func.func @cp_async_modifier(%p: !llvm.ptr<1>, %a: i32) {
  // expected-error@+1 {{has no cache modifier cg with 8 bytes (C2)}}
  sm90.cp_async %a, %p, 8 cache cg
  return
}

// -----

func.func @cp_async_pendings() {
  // expected-error@+1 {{the number of pending groups is negative (C1)}}
  sm90.cp_async_wait -1
  return
}

// -----

func.func @atomic_type(%p: !llvm.ptr<1>, %x: i16) {
  // expected-error@+1 {{no atomic add of 'i16' (C1)}}
  sm90.atomic_rmw add relaxed gpu %p, %x : !llvm.ptr<1>, i16
  return
}

// -----

func.func @store_async_count(%a: i32) {
  // expected-error@+1 {{stores 3 words, expected 1, 2 or 4 (C1)}}
  sm90.store_async %a, %a, %a, %a count on %a : i32, i32, i32
  return
}

// -----

func.func @store_async_types(%a: i32, %x: f32) {
  // expected-error@+1 {{words are of one type (C1)}}
  sm90.store_async %a, %a, %x count on %a : i32, f32
  return
}

// -----

func.func @atomic_float_kind(%p: !llvm.ptr<1>, %x: f32) {
  // expected-error@+1 {{no atomic max of 'f32' (C1)}}
  sm90.atomic_rmw max relaxed gpu %p, %x : !llvm.ptr<1>, f32
  return
}

// -----

func.func @atomic_result(%p: !llvm.ptr<1>, %x: i32) {
  // expected-error@+1 {{gives 'f32' for a value of 'i32' (C2)}}
  %r = sm90.atomic_rmw add relaxed gpu %p, %x : !llvm.ptr<1>, i32 -> f32
  return
}

// -----

func.func @add_type(%p: !llvm.ptr<1>, %x: i32) {
  // expected-error@+1 {{has no vectors of 'f64' (C1)}}
  sm90.add_global relaxed gpu %p, %x, %x {type = f64} : i32, i32
  return
}

// -----

func.func @add_count(%p: !llvm.ptr<1>, %x: f32) {
  // expected-error@+1 {{adds 1 words of 'f32' (C1)}}
  sm90.add_global relaxed gpu %p, %x {type = f32} : f32
  return
}

// -----

func.func @add_words(%p: !llvm.ptr<1>, %x: f32) {
  // expected-error@+1 {{words are expected to be 'i32' (C1)}}
  sm90.add_global relaxed gpu %p, %x, %x {type = f16} : f32, f32
  return
}

// -----

func.func @add_acquires(%p: !llvm.ptr<1>, %x: f32) {
  // expected-error@+1 {{does not acquire (C2)}}
  sm90.add_global acq_rel gpu %p, %x, %x {type = f32} : f32, f32
  return
}

// -----

func.func @cas_of_bytes(%p: !llvm.ptr<1>, %x: i8) {
  // expected-error@+1 {{no atomic cas of 'i8' (C1)}}
  %r = sm90.atomic_cas relaxed gpu %p, %x, %x : !llvm.ptr<1>, i8
  return
}

// -----

func.func @mma_types(%r: i32, %x: f32) {
  // expected-error@+1 {{no mma multiplies 'bf16' by 'f16' into 4 registers of 'f32' (C1)}}
  %d:4 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%x, %x, %x, %x) {aType = bf16, bType = f16} : f32, f32, f32, f32
  return
}

// -----

func.func @mma_accumulator(%r: i32) {
  // expected-error@+1 {{no mma multiplies 'bf16' by 'bf16' into 2 registers of 'i32' (C1)}}
  %d:2 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%r, %r) {aType = bf16, bType = bf16} : i32, i32
  return
}

// -----

func.func @mma_registers(%r: i32, %x: f32) {
  // expected-error@+1 {{takes and gives four f32 or i32, or two i32 for f16 (C2)}}
  %d:2 = sm90.mma (%r, %r, %r, %r), (%r, %r), (%x, %x) {aType = f16, bType = f16} : f32, f32
  return
}

// -----

func.func @round_type(%x: f32) {
  // expected-error@+1 {{does not round to 'f16' as 'bf16' (C1)}}
  %d = sm90.cvt_round %x {type = f16} : bf16
  return
}

// -----

func.func @round_tf32(%x: f32) {
  // expected-error@+1 {{tf32 does not round to zero (C2)}}
  %d = sm90.cvt_round %x rounding rz {type = tf32} : f32
  return
}

// -----

func.func @fp8_type(%x: f32) {
  // expected-error@+1 {{is for f8E4M3FN and f8E5M2, not 'f16' (C1)}}
  %d = sm90.cvt_fp8_pack %x, %x {type = f16} : f32
  return
}

// -----

func.func @bytes_of_two_words(%x: i32) {
  // expected-error@+1 {{names four bytes of two words, numbers below 8}}
  %d = sm90.byte_permute %x, %x [0, 1, 2, 8]
  return
}

// -----

func.func @map_of_fewer_sizes(%map: !sm90.tensormap, %p: !llvm.ptr<1>, %s: i32, %n: i32, %ld: i64) {
  // expected-error@+1 {{has 1 sizes, 1 strides and a box of 2 dimensions (C1)}}
  sm90.tensormap_write %map, %s, %p[%n] by [%ld] {element = f16, box = array<i32: 8, 8>, swizzle = 0 : i32}
  return
}
