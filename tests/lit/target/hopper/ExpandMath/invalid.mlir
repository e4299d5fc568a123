// RUN: tawa-opt %s --tawa-expand-math --split-input-file --verify-diagnostics

func.func @unknown(%p: !llvm.ptr<1>, %x: f32)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  // expected-error @+1 {{calls '__nv_tanf2', which is none of the libdevice functions that are implemented; names like it: __nv_tanf, }}
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_tanf2"} : (f32) -> f32
  sm90.store_global %p, %y : f32
  return
}

// -----

func.func @types(%p: !llvm.ptr<1>, %x: f64)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  // expected-error @+1 {{calls '__nv_powf', which is (f32, f32) -> f32; operands and result must be of these types}}
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (f64) -> f64
  sm90.store_global %p, %y : f64
  return
}

// -----

func.func @rounding(%p: !llvm.ptr<1>, %x: f32)
    attributes {sm90.kernel, sm90.threads = 32 : i32, sm90.shared_bytes = 0 : i32} {
  // expected-error @+1 {{rounds neither to nearest even nor toward zero}}
  %y = arith.truncf %x upward : f32 to f16
  sm90.store_global %p, %y : f16
  return
}
