// Operations refused by name at their location, in their own and in the generic form; the reason has a remedy.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

tt.func @reinterpret(%p: !tt.ptr<i8, 0>) {
  // expected-error @+1 {{custom op 'tt.reinterpret_tensor_descriptor' is not supported: it works on descriptors whose shape and strides the text does not say; print the kernel with Triton 3.4 or later, which writes tt.make_tensor_descriptor}}
  %0 = tt.reinterpret_tensor_descriptor %p : !tt.ptr<i8, 0> to !tt.tensordesc<tensor<64x64xf16>>
  tt.return
}

// -----

// Triton 3.0 to 3.2: a descriptor is a pointer to 128 bytes.
tt.func @descriptor_of_pointer(%d: !tt.ptr<i8>, %i: i32) {
  // expected-error @+1 {{custom op 'tt.experimental_descriptor_load' is not supported: it works on descriptors whose shape and strides the text does not say}}
  %0 = tt.experimental_descriptor_load %d[%i] : !tt.ptr<i8> -> tensor<64xf16>
  tt.return
}

// -----

tt.func @generic(%p: !tt.ptr<i8>) {
  // expected-error @+1 {{'tt.experimental_tensormap_fenceproxy_acquire' is not supported: it works on descriptors}}
  "tt.experimental_tensormap_fenceproxy_acquire"(%p) : (!tt.ptr<i8>) -> ()
  tt.return
}

// -----

// A name that no release has.
tt.func @unknown() {
  // expected-error @+1 {{custom op 'tt.no_such_op' is not an operation that Tawa knows}}
  tt.no_such_op
  tt.return
}

// -----

// A call must have a callee.
tt.func @call() {
  // expected-error @+1 {{calls @other, which is no tt.func of this module}}
  tt.call @other() : () -> ()
  tt.return
}
