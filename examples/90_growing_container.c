// SPDX-License-Identifier: MIT
//
// A container of your own that grows, and gives out its memory as a view: a stack of numbers. It
// asks before it moves its memory, so that views end then, and before it touches elements, so that
// a parallel job stays in its batch. You see who is stopped. 14_custom_container.c has a simpler
// one, and a writer for jobs.

#include <oxbow.h>

#include <stdio.h>

typedef struct stack_state {
    int numbers[64];
    int count;
} stack_state;

typedef struct Stack {
    stack_state *state;
    ox_access access;
} Stack;

OX_CONTAINER(Stack, access);

static Stack stack_create(stack_state *state, const char *name) {
    Stack made = {state, {0}};
    ox_access_create(&made.access, &(ox_access_def){.kind = "stack", .name = name});
    return made;
}

// The length changes, and in a stack without a fixed size memory would move: views end here.
static void stack_push(Stack stack, int number) {
    if (ox_access_may_resize(stack.access)) {
        stack.state->numbers[stack.state->count++] = number;
    }
}

// The handle of a job reaches its own batch, unless its field says OX_UNRESTRICTED.
static void stack_add(Stack stack, int index, int number) {
    if (ox_access_may_write(stack.access) &&
        ox_access_may_use(stack.access, index, 1, stack.state->count)) {
        stack.state->numbers[index] += number;
    }
}

static int stack_read(Stack stack, int index) {
    return ox_access_may_read(stack.access) ? stack.state->numbers[index] : 0;
}

// Another handle to the same memory, which lives until the stack changes its length.
static Stack stack_view(Stack stack) {
    Stack view = stack;
    return ox_access_create_view(stack.access, &view.access) ? view : (Stack){0};
}

OX_PARALLEL_JOB(AddRight, { Stack stack; }) {
    stack_add(job->stack, i + 1, 100); // a mistake: at the end of a batch this is another's
}

static void print_info(Stack stack) {
    ox_access_info info;
    if (ox_access_get_info(stack.access, &info)) {
        printf("%s '%s', writer: %s, disposed: %d\n", info.kind, info.name,
               info.writer != NULL ? info.writer : "none", info.disposed != NULL);
    }
}

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("%s %s\n", report->code, report->what);
}

int main(void) {
    ox_report_set_handler((ox_report_handler){print_report, NULL});
    stack_state state = {0};
    Stack stack = stack_create(&state, "plates");
    for (int k = 0; k < 4; k++) {
        stack_push(stack, k);
    }
    Stack view = stack_view(stack);
    printf("by the view: %d\n", stack_read(view, 3));
    stack_push(stack, 4);
    printf("by the view: %d\n", stack_read(view, 3)); // a mistake: the stack has grown

    // Two batches of two indices: each reaches one that is not its own.
    ox_job added = ox_schedule_for(AddRight, 4, 2, OX_NO_JOB, {stack});
    print_info(stack);
    ox_safety_usage usage = ox_safety_get_usage();
    printf("watched: %u, with jobs that nobody completed: %u\n", usage.container_count,
           usage.job_count);
    ox_complete(added);
    printf("%d %d %d %d %d\n", state.numbers[0], state.numbers[1], state.numbers[2],
           state.numbers[3], state.numbers[4]);
    ox_access_destroy(stack.access);
    print_info(stack);
}

// Output:
// by the view: 3
// OX-A09 a view is used after its container changed
// by the view: 0
// stack 'plates', writer: AddRight, disposed: 0
// watched: 1, with jobs that nobody completed: 1
// OX-A08 a parallel job leaves its batch
// OX-A08 a parallel job leaves its batch
// 0 101 2 103 4
// stack 'plates', writer: none, disposed: 1
