// Inline PTX of a kernel is refused unless it only computes values from values; nothing hides in comments.
// RUN: tawa-opt %s --tawa-specialize-arguments --tawa-lower-aref -split-input-file -verify-diagnostics

tt.func public @refused0(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'trap': it moves the flow of control}}
    %r = tt.elementwise_inline_asm "trap;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused1(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'bar.sync': threads wait or signal by it}}
    %r = tt.elementwise_inline_asm "bar.sync 0;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused2(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'setmaxnreg.inc.sync.aligned.u32': it changes how many registers a thread has}}
    %r = tt.elementwise_inline_asm "setmaxnreg.inc.sync.aligned.u32 240;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused3(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'call': it moves the flow of control}}
    %r = tt.elementwise_inline_asm "call (\22r\22), vprintf, (a, b);" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused4(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'bra': it moves the flow of control}}
    %r = tt.elementwise_inline_asm "bra done; done: mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused5(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'ret': it moves the flow of control}}
    %r = tt.elementwise_inline_asm "ret; } .visible .entry evil() { trap; // $0 $1" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused6(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: unexpected '}'}}
    %r = tt.elementwise_inline_asm "mov.b32 $0, $1; } .visible .entry evil() {" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused7(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'trap'}}
    %r = tt.elementwise_inline_asm "mov.b32 $0, $1; // \0A trap;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused8(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'trap'}}
    %r = tt.elementwise_inline_asm "mov.b32 $0, $1; /* */ trap;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused9(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: a comment is not closed}}
    %r = tt.elementwise_inline_asm "mov.b32 $0, $1; /* trap;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused10(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'ld.global.b32': it accesses memory}}
    %r = tt.elementwise_inline_asm "ld.global.b32 $0, [$1];" {constraints = "=r,l", packed_element = 1 : i32, pure = true} %w : i64 -> i32
  }
  tt.return
}

// -----

tt.func public @refused11(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'global_smem' is no register declared in braces}}
    %r = tt.elementwise_inline_asm "mov.b32 $0, global_smem;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused12(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: '%smid': special registers say where or when a thread runs}}
    %r = tt.elementwise_inline_asm "mov.u32 $0, %smid;" {constraints = "=r", packed_element = 1 : i32, pure = true} -> i32
  }
  tt.return
}

// -----

tt.func public @refused13(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: '%globaltimer': special registers}}
    %r = tt.elementwise_inline_asm "mov.u64 $0, %globaltimer;" {constraints = "=l", packed_element = 1 : i32, pure = true} -> i64
  }
  tt.return
}

// -----

tt.func public @refused14(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: '.reg' outside of braces}}
    %r = tt.elementwise_inline_asm ".reg .b32 t; mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused15(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: '.global': of all declarations there are registers only}}
    %r = tt.elementwise_inline_asm ".global .b32 t; mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused16(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: '$1' is an operand, and an instruction writes to it}}
    %r = tt.elementwise_inline_asm "mov.b32 $1, 5;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused17(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: '$2' is none of the 2 results and operands}}
    %r = tt.elementwise_inline_asm "mov.b32 $0, $2;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused18(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: it ends within a statement; statements end with ';'}}
    %r = tt.elementwise_inline_asm "mov.b32 $0, $1" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused19(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: 'frobnicate.b32' is none of the instructions that only compute}}
    %r = tt.elementwise_inline_asm "frobnicate.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused20(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{constraint 'n' of operand 1 wants a constant, and this one is computed; 'r' takes it in a register}}
    %r = tt.elementwise_inline_asm "mov.b32 $0, $2;" {constraints = "=r,r,n", packed_element = 1 : i32, pure = true} %v, %v : i32, i32 -> i32
  }
  tt.return
}

// -----

tt.func public @refused21(%v: i32, %w: i64) {
  tawa.warp_group main warps(1) registers(0) {
    // expected-error @+1 {{inline PTX: the constraint 'm' names no register}}
    %r = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,m", packed_element = 1 : i32, pure = true} %v : i32 -> i32
  }
  tt.return
}
