// f16 GEMM through pointers whose loop counts elements of K: C[M,N] = A[M,K] B[K,N], in f32.
//
// The masks say K - k, the pointers advance by as many, so that TMA loads both operands.
// run: grid=2,2 args=f16[72,80] f16[80,72] f32[72,72] i32:72 i32:72 i32:80 i32:80 i32:72
// run: grid=2,2 config="consumers=0" args=f16[72,80] f16[80,72] f32[72,72] i32:72 i32:72 i32:80 i32:80 i32:72
module {
  tt.func public @counted_elements(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32},
                                   %c: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %M: i32, %N: i32, %K: i32,
                                   %lda: i32 {tt.divisibility = 8 : i32}, %ldb: i32 {tt.divisibility = 8 : i32}) {
    %zero = arith.constant dense<0.0> : tensor<64x64xf32>
    %noA = arith.constant dense<0.0> : tensor<64x32xf16>
    %noB = arith.constant dense<0.0> : tensor<32x64xf16>
    %step_a = arith.constant dense<32> : tensor<64x32xi32>
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %c64 = arith.constant 64 : i32
    %pid_m = tt.get_program_id x : i32
    %pid_n = tt.get_program_id y : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %range_k = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %first_m = arith.muli %pid_m, %c64 : i32
    %first_n = arith.muli %pid_n, %c64 : i32
    %first_ms = tt.splat %first_m : i32 -> tensor<64xi32>
    %first_ns = tt.splat %first_n : i32 -> tensor<64xi32>
    %ms = arith.addi %first_ms, %range : tensor<64xi32>
    %ns = arith.addi %first_ns, %range : tensor<64xi32>
    %m = tt.expand_dims %ms {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %n = tt.expand_dims %ns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %k_a = tt.expand_dims %range_k {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %k_b = tt.expand_dims %range_k {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %Ms = tt.splat %M : i32 -> tensor<64x1xi32>
    %Ns = tt.splat %N : i32 -> tensor<1x64xi32>
    %in_m = arith.cmpi slt, %m, %Ms : tensor<64x1xi32>
    %in_n = arith.cmpi slt, %n, %Ns : tensor<1x64xi32>
    %ldas = tt.splat %lda : i32 -> tensor<64x1xi32>
    %ldbs = tt.splat %ldb : i32 -> tensor<32x1xi32>
    %rows_a = arith.muli %m, %ldas : tensor<64x1xi32>
    %rows_b = arith.muli %k_b, %ldbs : tensor<32x1xi32>
    %a_s = tt.splat %a : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %b_s = tt.splat %b : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %a_rows = tt.addptr %a_s, %rows_a : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %b_rows = tt.addptr %b_s, %rows_b : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %a_wide = tt.broadcast %a_rows : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
    %b_wide = tt.broadcast %b_rows : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %k_wide = tt.broadcast %k_a : tensor<1x32xi32> -> tensor<64x32xi32>
    %n_wide = tt.broadcast %n : tensor<1x64xi32> -> tensor<32x64xi32>
    %first_a = tt.addptr %a_wide, %k_wide : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %first_b = tt.addptr %b_wide, %n_wide : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %moved = arith.muli %ldb, %c32 : i32
    %step_b = tt.splat %moved : i32 -> tensor<32x64xi32>
    %in_m_wide = tt.broadcast %in_m : tensor<64x1xi1> -> tensor<64x32xi1>
    %in_n_wide = tt.broadcast %in_n : tensor<1x64xi1> -> tensor<32x64xi1>
    %r:3 = scf.for %k = %c0 to %K step %c32 iter_args(%pa = %first_a, %pb = %first_b, %sum = %zero) -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>) : i32 {
      %left = arith.subi %K, %k : i32
      %left_a = tt.splat %left : i32 -> tensor<1x32xi32>
      %left_b = tt.splat %left : i32 -> tensor<32x1xi32>
      %in_a = arith.cmpi slt, %k_a, %left_a : tensor<1x32xi32>
      %in_b = arith.cmpi slt, %k_b, %left_b : tensor<32x1xi32>
      %in_a_wide = tt.broadcast %in_a : tensor<1x32xi1> -> tensor<64x32xi1>
      %in_b_wide = tt.broadcast %in_b : tensor<32x1xi1> -> tensor<32x64xi1>
      %mask_a = arith.andi %in_m_wide, %in_a_wide : tensor<64x32xi1>
      %mask_b = arith.andi %in_b_wide, %in_n_wide : tensor<32x64xi1>
      %x = tt.load %pa, %mask_a, %noA : tensor<64x32x!tt.ptr<f16>>
      %y = tt.load %pb, %mask_b, %noB : tensor<32x64x!tt.ptr<f16>>
      %next = tt.dot %x, %y, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
      %pa_next = tt.addptr %pa, %step_a : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
      %pb_next = tt.addptr %pb, %step_b : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
      scf.yield %pa_next, %pb_next, %next : tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>
    }
    %Ns_of_rows = tt.splat %N : i32 -> tensor<64x1xi32>
    %rows_c = arith.muli %m, %Ns_of_rows : tensor<64x1xi32>
    %c_s = tt.splat %c : !tt.ptr<f32> -> tensor<64x1x!tt.ptr<f32>>
    %c_rows = tt.addptr %c_s, %rows_c : tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>
    %c_wide = tt.broadcast %c_rows : tensor<64x1x!tt.ptr<f32>> -> tensor<64x64x!tt.ptr<f32>>
    %n_c = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
    %to = tt.addptr %c_wide, %n_c : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
    %in_m_c = tt.broadcast %in_m : tensor<64x1xi1> -> tensor<64x64xi1>
    %in_n_c = tt.broadcast %in_n : tensor<1x64xi1> -> tensor<64x64xi1>
    %mask_c = arith.andi %in_m_c, %in_n_c : tensor<64x64xi1>
    tt.store %to, %r#2, %mask_c : tensor<64x64x!tt.ptr<f32>>
    tt.return
  }
}
