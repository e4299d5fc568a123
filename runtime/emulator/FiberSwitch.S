// The switch between two fibers on x86-64, System V ABI: the six callee-saved registers go to the old stack, the old
// stack pointer to its context, and the same in reverse for the new one. MXCSR and the x87 control word are not saved:
// no fiber changes them. Other CPUs use the ucontext form in Fiber.cpp.
#if defined(__x86_64__)
        .text
        .hidden tawa_emu_switch_stack
        .globl  tawa_emu_switch_stack
        .type   tawa_emu_switch_stack, @function
        .p2align 4
// void tawa_emu_switch_stack(void **saveOldStackPointer [rdi], void *newStackPointer [rsi])
tawa_emu_switch_stack:
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        movq    %rsp, (%rdi)
        movq    %rsi, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        ret
        .size   tawa_emu_switch_stack, .-tawa_emu_switch_stack

        .hidden tawa_emu_start_fiber
        .globl  tawa_emu_start_fiber
        .type   tawa_emu_start_fiber, @function
        .p2align 4
// Where the first switch to a fiber returns to: r12 holds the entry function, r13 its argument, and rsp is a multiple
// of 16, so that the entry sees the alignment the ABI promises. The entry never returns.
tawa_emu_start_fiber:
        .cfi_startproc
        .cfi_undefined rip
        movq    %r13, %rdi
        xorl    %ebp, %ebp
        call    *%r12
        ud2
        .cfi_endproc
        .size   tawa_emu_start_fiber, .-tawa_emu_start_fiber
#endif
        .section .note.GNU-stack, "", %progbits
