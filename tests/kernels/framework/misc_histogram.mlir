// Counts of small numbers: a histogram of each tile, masked, added to memory.
// run: grid=3,1,1 args=i32[700]=0..16 i32[16]=0 i32:700
module {
  tt.func public @misc_histogram(%in_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %out_ptr0: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %xnumel: i32) attributes {noinline = false} {
    %c256_i32 = arith.constant 256 : i32
    %cst = arith.constant dense<0> : tensor<256xi32>
    %cst_0 = arith.constant dense<true> : tensor<16xi1>
    %pid = tt.get_program_id x : i32
    %xoffset = arith.muli %pid, %c256_i32 : i32
    %xindex = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %xoffset_0 = tt.splat %xoffset : i32 -> tensor<256xi32>
    %xindex_0 = arith.addi %xoffset_0, %xindex : tensor<256xi32>
    %xnumel_0 = tt.splat %xnumel : i32 -> tensor<256xi32>
    %xmask = arith.cmpi slt, %xindex_0, %xnumel_0 : tensor<256xi32>
    %in = tt.splat %in_ptr0 : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>>
    %tmp = tt.addptr %in, %xindex_0 : tensor<256x!tt.ptr<i32>>, tensor<256xi32>
    %tmp_0 = tt.load %tmp, %xmask, %cst : tensor<256x!tt.ptr<i32>>
    %hist = tt.histogram %tmp_0, %xmask : tensor<256xi32> -> tensor<16xi32>
    %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %out = tt.splat %out_ptr0 : !tt.ptr<i32> -> tensor<16x!tt.ptr<i32>>
    %tmp_1 = tt.addptr %out, %range : tensor<16x!tt.ptr<i32>>, tensor<16xi32>
    %tmp_2 = tt.atomic_rmw add, relaxed, gpu, %tmp_1, %hist, %cst_0 : (tensor<16x!tt.ptr<i32>>, tensor<16xi32>, tensor<16xi1>) -> tensor<16xi32>
    tt.return
  }
}
