// Tiles of a product from a list in memory that ends with a negative number: how many a program takes is known at its end.
// run: grid=2 args=f16[192,96] f16[96,128] f16[192,128] i32[8]=4,1,5,0,-1,-1,-1,-1
module {
  tt.func public @gemm_while_tiles(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %list: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %lda = arith.constant dense<96> : tensor<64x1xi32>
    %ldb = arith.constant dense<128> : tensor<32x1xi32>
    %ldc = arith.constant dense<128> : tensor<64x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %c96_i32 = arith.constant 96 : i32
    %pid = tt.get_program_id x : i32
    %programs = tt.get_num_programs x : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %short = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %end:2 = scf.while (%i = %pid) : (i32) -> (i32, i32) {
      %at = tt.addptr %list, %i : !tt.ptr<i32>, i32
      %tile = tt.load %at : !tt.ptr<i32>
      %more = arith.cmpi sge, %tile, %c0_i32 : i32
      scf.condition(%more) %tile, %i : i32, i32
    } do {
    ^bb0(%tile: i32, %i: i32):
      %row = arith.divsi %tile, %c2_i32 : i32
      %column = arith.remsi %tile, %c2_i32 : i32
      %row0 = arith.muli %row, %c64_i32 : i32
      %column0 = arith.muli %column, %c64_i32 : i32
      %row0s = tt.splat %row0 : i32 -> tensor<64xi32>
      %rows = arith.addi %row0s, %range : tensor<64xi32>
      %rowsc = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
      %column0s = tt.splat %column0 : i32 -> tensor<64xi32>
      %columns = arith.addi %column0s, %range : tensor<64xi32>
      %columnsr = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
      %sum = scf.for %k = %c0_i32 to %c96_i32 step %c32_i32 iter_args(%acc = %cst) -> (tensor<64x64xf32>) : i32 {
        %ks = tt.splat %k : i32 -> tensor<32xi32>
        %kr = arith.addi %ks, %short : tensor<32xi32>
        %krow = tt.expand_dims %kr {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
        %kcolumn = tt.expand_dims %kr {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
        %ao = arith.muli %rowsc, %lda : tensor<64x1xi32>
        %aob = tt.broadcast %ao : tensor<64x1xi32> -> tensor<64x32xi32>
        %akb = tt.broadcast %krow : tensor<1x32xi32> -> tensor<64x32xi32>
        %aoff = arith.addi %aob, %akb : tensor<64x32xi32>
        %as = tt.splat %a_ptr : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
        %ap = tt.addptr %as, %aoff : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
        %x = tt.load %ap : tensor<64x32x!tt.ptr<f16>>
        %bo = arith.muli %kcolumn, %ldb : tensor<32x1xi32>
        %bob = tt.broadcast %bo : tensor<32x1xi32> -> tensor<32x64xi32>
        %bcb = tt.broadcast %columnsr : tensor<1x64xi32> -> tensor<32x64xi32>
        %boff = arith.addi %bob, %bcb : tensor<32x64xi32>
        %bs = tt.splat %b_ptr : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
        %bp = tt.addptr %bs, %boff : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
        %y = tt.load %bp : tensor<32x64x!tt.ptr<f16>>
        %d = tt.dot %x, %y, %acc, inputPrecision = tf32 : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      %co = arith.muli %rowsc, %ldc : tensor<64x1xi32>
      %cob = tt.broadcast %co : tensor<64x1xi32> -> tensor<64x64xi32>
      %ccb = tt.broadcast %columnsr : tensor<1x64xi32> -> tensor<64x64xi32>
      %coff = arith.addi %cob, %ccb : tensor<64x64xi32>
      %cs = tt.splat %c_ptr : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
      %cp = tt.addptr %cs, %coff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
      %h = arith.truncf %sum : tensor<64x64xf32> to tensor<64x64xf16>
      tt.store %cp, %h : tensor<64x64x!tt.ptr<f16>>
      %next = arith.addi %i, %programs : i32
      scf.yield %next : i32
    }
    tt.return
  }
}
