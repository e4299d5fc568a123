// Quantization by blocks: the nearest value of a table is found by bisection, with loads by number.
// run: grid=3 args=f16[600] f32[256]=-1..1 f32[10] i8[600] i32:600
module {
  tt.func public @quant_blockwise_search(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %code_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %am_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %o_ptr: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
    %c4_i32 = arith.constant 4 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant 0.000000E+00 : f16
    %c63_i32 = arith.constant 63 : i32
    %cst_0 = arith.constant -1.00000000E+00 : f32
    %cst_1 = arith.constant 1.00000000E+00 : f32
    %cst_2 = arith.constant dense<0> : tensor<4x64xi32>
    %cst_3 = arith.constant dense<255> : tensor<4x64xi32>
    %c0_i32 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32 = arith.constant 1 : i32
    %c2_i32 = arith.constant 2 : i32
    %p = tt.get_program_id x : i32
    %tmp = arith.muli %p, %c4_i32 : i32
    %tmp_0 = arith.muli %tmp, %c64_i32 : i32
    %tmp_1 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %tmp_2 = tt.splat %tmp_0 : i32 -> tensor<256xi32>
    %o = arith.addi %tmp_2, %tmp_1 : tensor<256xi32>
    %tmp_3 = tt.splat %n : i32 -> tensor<256xi32>
    %m = arith.cmpi slt, %o, %tmp_3 : tensor<256xi32>
    %tmp_4 = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>>
    %tmp_5 = tt.addptr %tmp_4, %o : tensor<256x!tt.ptr<f16>>, tensor<256xi32>
    %tmp_6 = tt.splat %cst : f16 -> tensor<256xf16>
    %tmp_7 = tt.load %tmp_5, %m, %tmp_6 : tensor<256x!tt.ptr<f16>>
    %a = arith.extf %tmp_7 : tensor<256xf16> to tensor<256xf32>
    %a2 = tt.reshape %a : tensor<256xf32> -> tensor<4x64xf32>
    %tmp_8 = math.absf %a2 : tensor<4x64xf32>
    %am = "tt.reduce"(%tmp_8) <{axis = 1 : i32}> ({
    ^bb0(%lhs: f32, %rhs: f32):
      %tmp_9 = arith.maxnumf %lhs, %rhs : f32
      tt.reduce.return %tmp_9 : f32
    }) : (tensor<4x64xf32>) -> tensor<4xf32>
    %tmp_10 = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %tmp_11 = tt.splat %tmp : i32 -> tensor<4xi32>
    %so = arith.addi %tmp_11, %tmp_10 : tensor<4xi32>
    %tmp_12 = tt.splat %am_ptr : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
    %tmp_13 = tt.addptr %tmp_12, %so : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
    %tmp_14 = arith.addi %n, %c63_i32 : i32
    %tmp_15 = arith.divsi %tmp_14, %c64_i32 : i32
    %tmp_16 = tt.splat %tmp_15 : i32 -> tensor<4xi32>
    %tmp_17 = arith.cmpi slt, %so, %tmp_16 : tensor<4xi32>
    tt.store %tmp_13, %am, %tmp_17 : tensor<4x!tt.ptr<f32>>
    %tmp_18 = tt.expand_dims %am {axis = 1 : i32} : tensor<4xf32> -> tensor<4x1xf32>
    %tmp_19 = tt.broadcast %tmp_18 : tensor<4x1xf32> -> tensor<4x64xf32>
    %an = arith.divf %a2, %tmp_19 : tensor<4x64xf32>
    %tmp_20 = tt.splat %cst_0 : f32 -> tensor<4x64xf32>
    %tmp_21 = tt.splat %cst_1 : f32 -> tensor<4x64xf32>
    %an_0 = tt.clampf %an, %tmp_20, %tmp_21, propagateNan = none : tensor<4x64xf32>
    %loop:2 = scf.for %_ = %c0_i32 to %c8_i32 step %c1_i32 iter_args(%lo = %cst_2, %hi = %cst_3) -> (tensor<4x64xi32>, tensor<4x64xi32>)  : i32 {
      %tmp_22 = arith.addi %lo, %hi : tensor<4x64xi32>
      %tmp_23 = tt.splat %c2_i32 : i32 -> tensor<4x64xi32>
      %pv = arith.divsi %tmp_22, %tmp_23 : tensor<4x64xi32>
      %tmp_24 = tt.splat %code_ptr : !tt.ptr<f32> -> tensor<4x64x!tt.ptr<f32>>
      %tmp_25 = tt.addptr %tmp_24, %pv : tensor<4x64x!tt.ptr<f32>>, tensor<4x64xi32>
      %v = tt.load %tmp_25 : tensor<4x64x!tt.ptr<f32>>
      %h = arith.cmpf ogt, %an_0, %v : tensor<4x64xf32>
      %lo_0 = arith.select %h, %pv, %lo : tensor<4x64xi1>, tensor<4x64xi32>
      %hi_0 = arith.select %h, %hi, %pv : tensor<4x64xi1>, tensor<4x64xi32>
      scf.yield %lo_0, %hi_0 : tensor<4x64xi32>, tensor<4x64xi32>
    }
    %tmp_26 = tt.splat %code_ptr : !tt.ptr<f32> -> tensor<4x64x!tt.ptr<f32>>
    %tmp_27 = tt.addptr %tmp_26, %loop#0 : tensor<4x64x!tt.ptr<f32>>, tensor<4x64xi32>
    %tmp_28 = tt.load %tmp_27 : tensor<4x64x!tt.ptr<f32>>
    %tmp_29 = arith.subf %an_0, %tmp_28 : tensor<4x64xf32>
    %ld = math.absf %tmp_29 : tensor<4x64xf32>
    %tmp_30 = tt.addptr %tmp_26, %loop#1 : tensor<4x64x!tt.ptr<f32>>, tensor<4x64xi32>
    %tmp_31 = tt.load %tmp_30 : tensor<4x64x!tt.ptr<f32>>
    %tmp_32 = arith.subf %an_0, %tmp_31 : tensor<4x64xf32>
    %hd = math.absf %tmp_32 : tensor<4x64xf32>
    %tmp_33 = arith.cmpf ole, %ld, %hd : tensor<4x64xf32>
    %tmp_34 = arith.select %tmp_33, %loop#0, %loop#1 : tensor<4x64xi1>, tensor<4x64xi32>
    %q = arith.trunci %tmp_34 : tensor<4x64xi32> to tensor<4x64xi8>
    %tmp_35 = tt.splat %o_ptr : !tt.ptr<i8> -> tensor<256x!tt.ptr<i8>>
    %tmp_36 = tt.addptr %tmp_35, %o : tensor<256x!tt.ptr<i8>>, tensor<256xi32>
    %tmp_37 = tt.reshape %q : tensor<4x64xi8> -> tensor<256xi8>
    tt.store %tmp_36, %tmp_37, %m : tensor<256x!tt.ptr<i8>>
    tt.return
  }
}
