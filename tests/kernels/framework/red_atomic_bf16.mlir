// Atomic sums of bf16: an instruction since Hopper, a loop of compare-and-swap on GPUs before it.
// run: grid=2 args=bf16[8]=0 bf16[256] i32:200
module {
  tt.func public @add(%p: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %n: i32) {
    %pid = tt.get_program_id x : i32
    %r = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32>
    %c128 = arith.constant 128 : i32
    %b = arith.muli %pid, %c128 : i32
    %bs = tt.splat %b : i32 -> tensor<128xi32>
    %i = arith.addi %r, %bs : tensor<128xi32>
    %xs = tt.splat %x : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>>
    %xp = tt.addptr %xs, %i : tensor<128x!tt.ptr<bf16>>, tensor<128xi32>
    %ns = tt.splat %n : i32 -> tensor<128xi32>
    %m = arith.cmpi slt, %i, %ns : tensor<128xi32>
    %v = tt.load %xp, %m : tensor<128x!tt.ptr<bf16>>
    %c7 = arith.constant dense<7> : tensor<128xi32>
    %j = arith.andi %r, %c7 : tensor<128xi32>
    %ps = tt.splat %p : !tt.ptr<bf16> -> tensor<128x!tt.ptr<bf16>>
    %pp = tt.addptr %ps, %j : tensor<128x!tt.ptr<bf16>>, tensor<128xi32>
    %one = arith.constant dense<1.0> : tensor<128xbf16>
    %old = tt.atomic_rmw fadd, acq_rel, gpu, %pp, %one, %m : (tensor<128x!tt.ptr<bf16>>, tensor<128xbf16>, tensor<128xi1>) -> tensor<128xbf16>
    tt.return
  }
}
