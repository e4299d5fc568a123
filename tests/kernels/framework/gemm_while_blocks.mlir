// A product over those blocks of K that a list in memory names, up to a negative number: the loop that multiplies ends on a condition.
// run: grid=2 args=f16[128,128] f16[128,64] f16[128,64] i32[16]=2,0,3,-1,1,-1,2,-1
module {
  tt.func public @gemm_while_blocks(%a_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c_ptr: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %list: !tt.ptr<i32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %cst = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
    %lda = arith.constant dense<128> : tensor<64x1xi32>
    %ldb = arith.constant dense<64> : tensor<32x1xi32>
    %ldc = arith.constant dense<64> : tensor<64x1xi32>
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %c4_i32 = arith.constant 4 : i32
    %c32_i32 = arith.constant 32 : i32
    %c64_i32 = arith.constant 64 : i32
    %pid = tt.get_program_id x : i32
    %first = arith.muli %pid, %c4_i32 : i32
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %short = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %row0 = arith.muli %pid, %c64_i32 : i32
    %row0s = tt.splat %row0 : i32 -> tensor<64xi32>
    %rows = arith.addi %row0s, %range : tensor<64xi32>
    %rowsc = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %columnsr = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %sum:3 = scf.while (%i = %first, %acc = %cst) : (i32, tensor<64x64xf32>) -> (i32, i32, tensor<64x64xf32>) {
      %at = tt.addptr %list, %i : !tt.ptr<i32>, i32
      %block = tt.load %at : !tt.ptr<i32>
      %more = arith.cmpi sge, %block, %c0_i32 : i32
      scf.condition(%more) %block, %i, %acc : i32, i32, tensor<64x64xf32>
    } do {
    ^bb0(%block: i32, %i: i32, %acc: tensor<64x64xf32>):
      %k = arith.muli %block, %c32_i32 : i32
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
      %next = arith.addi %i, %c1_i32 : i32
      scf.yield %next, %d : i32, tensor<64x64xf32>
    }
    %co = arith.muli %rowsc, %ldc : tensor<64x1xi32>
    %cob = tt.broadcast %co : tensor<64x1xi32> -> tensor<64x64xi32>
    %ccb = tt.broadcast %columnsr : tensor<1x64xi32> -> tensor<64x64xi32>
    %coff = arith.addi %cob, %ccb : tensor<64x64xi32>
    %cs = tt.splat %c_ptr : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>>
    %cp = tt.addptr %cs, %coff : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
    %h = arith.truncf %sum#2 : tensor<64x64xf32> to tensor<64x64xf16>
    tt.store %cp, %h : tensor<64x64x!tt.ptr<f16>>
    tt.return
  }
}
