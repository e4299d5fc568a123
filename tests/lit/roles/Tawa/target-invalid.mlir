// What is wrong with a target is said by its constraint, and where it may stand.
// RUN: tawa-opt %s -split-input-file -verify-diagnostics

// C1.
// expected-error @+1 {{'hopper' is no architecture}}
module attributes {a = #tawa.target<"hopper", l2 = 1>} {
}

// -----

// C2.
// expected-error @+1 {{'shared_per_block' is missing or not positive}}
module attributes {a = #tawa.target<"sm_90a", l2 = 1>} {
}

// -----

// expected-error @+1 {{there is no limit 'warps'}}
module attributes {a = #tawa.target<"sm_90a", warps = 1>} {
}

// -----

// expected-error @+1 {{'builtin.module' op 'tawa.target' is "sm_90a", expected #tawa.target}}
module attributes {tawa.target = "sm_90a"} {
}

// -----

module {
  // expected-error @+1 {{'tt.func' op 'tawa.target' stands on this operation, expected on: module}}
  tt.func @f() attributes {tawa.target = 1 : i32} {
    tt.return
  }
}
