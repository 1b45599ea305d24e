// SPDX-License-Identifier: MIT
//
// Fibers that switch with _setjmp and _longjmp: no system call, and a fiber that is in the middle
// of something is given up by beginning it anew. ucontext makes their stacks, once.

#include "model/model_inside.h"

#include <setjmp.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK_SIZE = 256 * 1024 };

static struct {
    jmp_buf top;  // where it begins a function
    jmp_buf here; // where it was when it switched
    void (*function)(void);
    bool is_inside;
    bool exists;
    ucontext_t context;
} fibers[MODEL_THREADS];
static jmp_buf home;
static ucontext_t maker;
static int made;

static void live(void) {
    int fiber = made;
    if (_setjmp(fibers[fiber].top) == 0) {
        swapcontext(&fibers[fiber].context, &maker);
    }
    // The second return, and each one after it: the thread was set before it was resumed.
    fibers[model_current].function();
    model_fiber_leave();
}

void model_fiber_home(void (*function)(void)) {
    if (_setjmp(home) == 0) {
        function();
    }
}

_Noreturn void model_fiber_leave(void) {
    _longjmp(home, 1);
}

void model_fiber_begin(int fiber, void (*function)(void)) {
    if (!fibers[fiber].exists) {
        ucontext_t *context = &fibers[fiber].context;
        fibers[fiber].exists = true;
        getcontext(context);
        context->uc_stack.ss_sp = malloc(STACK_SIZE);
        context->uc_stack.ss_size = STACK_SIZE;
        context->uc_link = NULL;
        makecontext(context, live, 0);
        made = fiber;
        swapcontext(&maker, context);
    }
    fibers[fiber].function = function;
    fibers[fiber].is_inside = false;
}

_Noreturn void model_fiber_resume(int fiber) {
    if (!fibers[fiber].is_inside) {
        fibers[fiber].is_inside = true;
        _longjmp(fibers[fiber].top, 1);
    }
    _longjmp(fibers[fiber].here, 1);
}

void model_fiber_switch(int from, int to) {
    if (_setjmp(fibers[from].here) == 0) {
        model_fiber_resume(to);
    }
}
