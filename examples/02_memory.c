// SPDX-License-Identifier: MIT
//
// The allocators and how long their memory lives: Temp for a frame or a scope, TempJob for four
// frames and any thread, Persistent until it is freed.

#include <oxbow/memory.h>

#include <stdio.h>

// Sums squares through a scratch array that is gone when the scope ends.
static int sum_of_squares(int count) {
    ox_temp_scope scope = ox_temp_begin();
    int *squares = ox_memory_alloc_array(OX_TEMP, count, int);
    int sum = 0;
    for (int i = 0; squares != NULL && i < count; i++) {
        squares[i] = i * i;
        sum += squares[i];
    }
    ox_temp_end(scope);
    return sum;
}

int main(void) {
    printf("sum of squares: %d\n", sum_of_squares(10));

    // Any alignment up to OX_MAX_ALIGNMENT, with the plain form.
    char *line = ox_memory_alloc(OX_PERSISTENT, 256, 64);
    printf("aligned to 64: %d\n", (uintptr_t)line % 64 == 0);

    // For a job that runs over the next frames. Any thread may free it.
    float *results = ox_memory_alloc_array(OX_TEMP_JOB, 1000, float);
    for (int frame = 0; frame < 3; frame++) {
        int *scratch = ox_memory_alloc_array(OX_TEMP, 100, int); // freed by ox_frame_end
        scratch[0] = frame;
        ox_frame_end();
    }
    printf("frame %d\n", (int)ox_frame_get_number());
    ox_memory_free_array(OX_TEMP_JOB, results, 1000, float);

    // A library with checks knows what is alive, and where it was allocated.
    if (ox_get_safety_level() > 0) {
        ox_memory_usage usage = ox_memory_get_usage(OX_PERSISTENT);
        printf("alive: %d block, %d bytes\n", (int)usage.block_count, (int)usage.bytes);
    }
    ox_memory_free(OX_PERSISTENT, line, 256, 64);
    ox_memory_trim(); // what was cached goes back to the system
    printf("leaks: %d\n", (int)ox_memory_check_leaks());
}

// Output:
// sum of squares: 285
// aligned to 64: 1
// frame 3
// alive: 1 block, 256 bytes
// leaks: 0
