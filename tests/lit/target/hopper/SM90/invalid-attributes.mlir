// Attributes of kernels and of the PTX back end have the type and the place that Attributes.def gives them.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{'func.func' op 'sm90.kernel' is true, expected unit}}
func.func private @attribute33() attributes {sm90.kernel = true}

// -----

// expected-error@+1 {{'func.func' op 'sm90.threads' is 128 : i64, expected i32}}
func.func private @attribute34() attributes {sm90.threads = 128 : i64}

// -----

// expected-error@+1 {{'func.func' op 'sm90.product_warps' is "4", expected i32}}
func.func private @attribute35() attributes {sm90.product_warps = "4"}

// -----

// expected-error@+1 {{'func.func' op 'sm90.shared_bytes' is unit, expected i32}}
func.func private @attribute36() attributes {sm90.shared_bytes}

// -----

// expected-error@+1 {{'func.func' op 'sm90.cluster' is [2, 1, 1], expected an array of three i32}}
func.func private @attribute37() attributes {sm90.cluster = [2, 1, 1]}

// -----

// expected-error@+1 {{'func.func' op 'sm90.entry_registers' is 168 : index, expected i32}}
func.func private @attribute38() attributes {sm90.entry_registers = 168 : index}

// -----

// expected-error@+1 {{'func.func' op 'sm90.scratch_bytes' is 128 : i64, expected i32}}
func.func private @attribute39() attributes {sm90.scratch_bytes = 128 : i64}

// -----

// expected-error@+1 {{'func.func' op 'sm90.thread' is no attribute of the dialect}}
func.func private @attribute40() attributes {sm90.thread = 128 : i32}

// -----

// expected-error@+1 {{'func.func' op 'sm90.tensor_map' stands on this operation, expected on: parameter}}
func.func private @attribute41() attributes {sm90.tensor_map = {}}

// -----

// expected-error@+1 {{'func.func' op 'sm90.tensor_map' is 0 : i32, expected #sm90.tensor_map}}
func.func private @map(%map: !sm90.tensormap {sm90.tensor_map = 0 : i32})

// -----

// expected-error@+1 {{a tensor map has 1 to 5 dimensions, not 6 (C1)}}
func.func private @map(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [8, 1, 1, 1, 1, 1], element = f16, swizzle = none>})

// -----

// expected-error@+1 {{a box has 1 to 256 elements per dimension, not 257 (C1)}}
func.func private @map(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [8, 257], element = f16, swizzle = none>})

// -----

// expected-error@+1 {{elements of a tensor map have 8, 16, 32 or 64 bits, not 'i1' (C2)}}
func.func private @map(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [128], element = i1, swizzle = none>})

// -----

// expected-error@+1 {{the innermost dimension of a box has a multiple of 16 bytes, not 24 (C3)}}
func.func private @map(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [12, 8], element = f16, swizzle = none>})

// -----

// expected-error@+1 {{the innermost dimension of a box has 128 bytes, and its swizzle spans 64 (C3)}}
func.func private @map(%map: !sm90.tensormap {sm90.tensor_map = #sm90.tensor_map<argument = 0, box = [64, 8], element = f16, swizzle = b64>})

// -----

// expected-error@+1 {{'builtin.module' op 'sm90.kernel' stands on this operation, expected on: func.func}}
module attributes {sm90.kernel} {
}

// -----

func.func @kept(%a: i64, %c: !sm90.inflight<64x8xf32>, %t: i1) {
  // expected-error@+1 {{'arith.addi' op 'sm90.continued' stands on this operation, expected on: sm90.wgmma}}
  %s = arith.addi %a, %a {sm90.continued} : i64
  return
}
