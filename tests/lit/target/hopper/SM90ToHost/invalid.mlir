// What does not belong to the machine phase is refused by name, as are functions that are no kernels.
//
// RUN: tawa-opt %s --tawa-sm90-to-host -split-input-file -verify-diagnostics

func.func @kernel(%x: f32) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // expected-error@+1 {{tawa-sm90-to-host: 'math.exp2' does not belong to the machine phase}}
  %y = math.exp2 %x : f32
  return
}

// -----

// expected-error@+1 {{tawa-sm90-to-host: 'func.func' @helper is not a kernel with a body}}
func.func @helper() {
  return
}

// -----

func.func @kernel() attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // expected-error@+1 {{tawa-sm90-to-host: 'func.call' does not belong to the machine phase}}
  func.call @kernel() : () -> ()
  return
}

// -----

func.func @kernel() attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // expected-error@+1 {{tawa-sm90-to-host: 'llvm.inline_asm' has no meaning on the host}}
  llvm.inline_asm has_side_effects "nanosleep.u32 1;", "" : () -> ()
  return
}

// -----

func.func @kernel(%x: i32) attributes {sm90.kernel, sm90.threads = 128 : i32, sm90.shared_bytes = 0 : i32} {
  // expected-error@+1 {{tawa-sm90-to-host: 'sm90.inline_asm' has no meaning on the host}}
  %y = sm90.inline_asm "popc.b32 $0, $1;", "=r,r" (%x) : (i32) -> i32
  return
}
