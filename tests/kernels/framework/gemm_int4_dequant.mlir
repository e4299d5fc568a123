// Weights of 4 bits, two to a byte: shifted apart, joined, reshaped, scaled by group of K, multiplied.
// run: grid=2,1,1 args=f16[1280] i8[4096]=-128..128 f16[128]=0.01..0.1 f16[2560] i32:20
module {
  tt.func public @gemm_int4_dequant(%x_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %qw_ptr: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %scale_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %out_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32) attributes {noinline = false} {
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant dense<0.000000E+00> : tensor<32x64xf32>
    %c0_i32 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c32_i32 = arith.constant 32 : i32
    %cst_0 = arith.constant dense<64> : tensor<32x1xi32>
    %cst_1 = arith.constant dense<0.000000E+00> : tensor<32x32xf16>
    %c16_i32 = arith.constant 16 : i32
    %cst_2 = arith.constant dense<32> : tensor<64x1xi32>
    %cst_3 = arith.constant dense<4> : tensor<64x16xi8>
    %cst_4 = arith.constant dense<128> : tensor<32x1xi32>
    %pid = tt.get_program_id x : i32
    %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %tmp = arith.muli %pid, %c64_i32 : i32
    %range_0 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %tmp_0 = tt.splat %tmp : i32 -> tensor<64xi32>
    %tmp_1 = arith.addi %tmp_0, %range_0 : tensor<64xi32>
    %res = scf.for %k = %c0_i32 to %c2_i32 step %c1_i32 iter_args(%acc = %cst) -> (tensor<32x64xf32>)  : i32 {
      %tmp_2 = arith.muli %k, %c32_i32 : i32
      %tmp_3 = tt.splat %tmp_2 : i32 -> tensor<32xi32>
      %range_1 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
      %tmp_4 = arith.addi %tmp_3, %range_1 : tensor<32xi32>
      %expand = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %M_0 = tt.splat %M : i32 -> tensor<32x1xi32>
      %tmp_5 = arith.cmpi slt, %expand, %M_0 : tensor<32x1xi32>
      %expand_0 = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
      %tmp_6 = arith.muli %expand_0, %cst_0 : tensor<32x1xi32>
      %expand_1 = tt.expand_dims %tmp_4 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
      %bcast = tt.broadcast %tmp_6 : tensor<32x1xi32> -> tensor<32x32xi32>
      %bcast_0 = tt.broadcast %expand_1 : tensor<1x32xi32> -> tensor<32x32xi32>
      %tmp_7 = arith.addi %bcast, %bcast_0 : tensor<32x32xi32>
      %x = tt.splat %x_ptr : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
      %tmp_8 = tt.addptr %x, %tmp_7 : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
      %bcast_1 = tt.broadcast %tmp_5 : tensor<32x1xi1> -> tensor<32x32xi1>
      %tmp_9 = tt.load %tmp_8, %bcast_1, %cst_1 : tensor<32x32x!tt.ptr<f16>>
      %tmp_10 = arith.muli %k, %c16_i32 : i32
      %tmp_11 = tt.splat %tmp_10 : i32 -> tensor<16xi32>
      %range_2 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
      %tmp_12 = arith.addi %tmp_11, %range_2 : tensor<16xi32>
      %expand_2 = tt.expand_dims %tmp_1 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %tmp_13 = arith.muli %expand_2, %cst_2 : tensor<64x1xi32>
      %expand_3 = tt.expand_dims %tmp_12 {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
      %bcast_2 = tt.broadcast %tmp_13 : tensor<64x1xi32> -> tensor<64x16xi32>
      %bcast_3 = tt.broadcast %expand_3 : tensor<1x16xi32> -> tensor<64x16xi32>
      %tmp_14 = arith.addi %bcast_2, %bcast_3 : tensor<64x16xi32>
      %qw = tt.splat %qw_ptr : !tt.ptr<i8> -> tensor<64x16x!tt.ptr<i8>>
      %tmp_15 = tt.addptr %qw, %tmp_14 : tensor<64x16x!tt.ptr<i8>>, tensor<64x16xi32>
      %tmp_16 = tt.load %tmp_15 : tensor<64x16x!tt.ptr<i8>>
      %tmp_17 = arith.shli %tmp_16, %cst_3 : tensor<64x16xi8>
      %tmp_18 = arith.shrsi %tmp_17, %cst_3 : tensor<64x16xi8>
      %tmp_19 = arith.shrsi %tmp_16, %cst_3 : tensor<64x16xi8>
      %joined = tt.join %tmp_18, %tmp_19 : tensor<64x16xi8> -> tensor<64x16x2xi8>
      %tmp_20 = tt.reshape %joined : tensor<64x16x2xi8> -> tensor<64x32xi8>
      %tmp_21 = arith.sitofp %tmp_20 : tensor<64x32xi8> to tensor<64x32xf16>
      %expand_4 = tt.expand_dims %tmp_1 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %scale = tt.splat %scale_ptr : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
      %tmp_22 = tt.addptr %scale, %expand_4 : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
      %tmp_23 = tt.load %tmp_22 evictionPolicy = evict_last : tensor<64x1x!tt.ptr<f16>>
      %bcast_4 = tt.broadcast %tmp_23 : tensor<64x1xf16> -> tensor<64x32xf16>
      %tmp_24 = arith.mulf %tmp_21, %bcast_4 : tensor<64x32xf16>
      %tmp_25 = tt.trans %tmp_24 {order = array<i32: 1, 0>} : tensor<64x32xf16> -> tensor<32x64xf16>
      %dot = tt.dot %tmp_9, %tmp_25, %acc, inputPrecision = tf32 : tensor<32x32xf16> * tensor<32x64xf16> -> tensor<32x64xf32>
      scf.yield %dot : tensor<32x64xf32>
    }
    %expand_5 = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %M_1 = tt.splat %M : i32 -> tensor<32x1xi32>
    %tmp_26 = arith.cmpi slt, %expand_5, %M_1 : tensor<32x1xi32>
    %expand_6 = tt.expand_dims %range {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %tmp_27 = arith.muli %expand_6, %cst_4 : tensor<32x1xi32>
    %expand_7 = tt.expand_dims %tmp_1 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %bcast_5 = tt.broadcast %tmp_27 : tensor<32x1xi32> -> tensor<32x64xi32>
    %bcast_6 = tt.broadcast %expand_7 : tensor<1x64xi32> -> tensor<32x64xi32>
    %tmp_28 = arith.addi %bcast_5, %bcast_6 : tensor<32x64xi32>
    %out = tt.splat %out_ptr : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %tmp_29 = tt.addptr %out, %tmp_28 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %tmp_30 = arith.truncf %res : tensor<32x64xf32> to tensor<32x64xf16>
    %bcast_7 = tt.broadcast %tmp_26 : tensor<32x1xi1> -> tensor<32x64xi1>
    tt.store %tmp_29, %tmp_30, %bcast_7 : tensor<32x64x!tt.ptr<f16>>
    tt.return
  }
}
