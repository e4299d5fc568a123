// A product of rows that begin where a table in memory says; the text assumes that the place is not negative, and columns neither.
// run: grid=2,2 args=f16[192,96] f16[96,128] f16[192,128] i32[2]=112,24
module {
  tt.func public @gemm_assumed_start(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %starts: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %lda = arith.constant dense<96> : tensor<64x1xi32>
    %ldb = arith.constant dense<128> : tensor<32x1xi32>
    %ldc = arith.constant dense<128> : tensor<64x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %c96_i32 = arith.constant 96 : i32
    %pid = tt.get_program_id x : i32
    %pid_n = tt.get_program_id y : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %short = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %at = tt.addptr %starts, %pid : !tt.ptr<i32>, i32
    %row0 = tt.load %at : !tt.ptr<i32>
    %is_row = arith.cmpi sge, %row0, %c0_i32 : i32
    llvm.intr.assume %is_row : i1
    %after = arith.subi %c1_i32, %pid_n : i32
    %column0 = arith.muli %after, %c64_i32 : i32
    %is_place = arith.cmpi sge, %column0, %c0_i32 : i32
    llvm.intr.assume %is_place : i1
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
    tt.return
  }
}
