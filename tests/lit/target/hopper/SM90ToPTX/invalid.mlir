// What does not belong to the machine phase is refused by name, as are functions that are no kernels.
//
// RUN: tawa-opt %s --tawa-sm90-to-ptx -split-input-file -verify-diagnostics

func.func @kernel(%x: f32) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // expected-error@+1 {{tawa-sm90-to-ptx: 'math.exp2' does not belong to the machine phase}}
  %y = math.exp2 %x : f32
  return
}

// -----

func.func @sums(%desc: i64)
    attributes {sm90.kernel, sm90.threads = 256 : i32, sm90.shared_bytes = 0 : i32, sm90.entry_registers = 80 : i32} {
  %true = arith.constant true
  %none = sm90.acc_undef : !sm90.inflight<64x128xf32>
  // expected-error@+1 {{a product of 128 columns has 64 sums in each thread, which begins with 80 registers; use tiles of fewer columns}}
  %d = sm90.wgmma %none, %desc, %desc, %true {aType = f16, bType = f16} : !sm90.inflight<64x128xf32>
  return
}

// -----

// expected-error@+1 {{tawa-sm90-to-ptx: 'func.func' @helper is not a kernel with a body}}
func.func @helper() {
  return
}

// -----

func.func @kernel() attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // expected-error@+1 {{tawa-sm90-to-ptx: 'func.call' does not belong to the machine phase}}
  func.call @kernel() : () -> ()
  return
}
