// SPDX-License-Identifier: MIT
//
// Makes mistakes on purpose, and shows what Oxbow says: what happened, where in your own source,
// and the fix. The handler that is set here prints and goes on; without it the first error would
// abort.

#include <oxbow.h>

#include <stdio.h>

// A handler gets a report as data, too.
static void count_report(const ox_report *report, void *context) {
    ++*(int *)context;
    const ox_report_value *size = ox_report_find(report, "given_size");
    char text[1024];
    ox_report_format(report, text, sizeof text);
    printf("%s", text);
    if (size != NULL) {
        printf("  (as data: given_size is %d)\n", (int)size->number);
    }
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0); // in step with stderr
    ox_report_set_handler((ox_report_handler){ox_report_print, NULL});
    if (!ox_version_check()) {
        return 1;
    }

    ox_memory_alloc(OX_PERSISTENT, 64, 3);

    int count = 0;
    ox_report_set_handler((ox_report_handler){count_report, &count});
    void *block = ox_memory_alloc(OX_PERSISTENT, 64, 8);
    ox_memory_free(OX_PERSISTENT, block, 65, 8);
    ox_memory_free(OX_PERSISTENT, block, 64, 8);

    // An id can be silenced. The call still has no effect, and is still counted.
    ox_report_silence(OX_REPORT_BAD_ALIGNMENT, true);
    void *none = ox_memory_alloc(OX_PERSISTENT, 64, 5);
    printf("%s: returned %s, handler called %d time, reported %d times\n",
           ox_report_code(OX_REPORT_BAD_ALIGNMENT), none == NULL ? "NULL" : "memory", count,
           (int)ox_report_count(OX_REPORT_BAD_ALIGNMENT));
}

// Output:
// oxbow: OX-M03 an alignment cannot be used
//   alignment 3 is not a power of two from 1 to 4096
//   at examples/03_reports.c:30
//   fix: pass the alignment of the type, as _Alignof gives it, at examples/03_reports.c:30
// oxbow: OX-M06 a block is freed with another size or alignment
//   allocated with 64 bytes, alignment 8 at examples/03_reports.c:34
//   freed with 65 bytes, alignment 8
//   at examples/03_reports.c:35
//   fix: pass the size and alignment of the allocation at examples/03_reports.c:35
//   (as data: given_size is 65)
// OX-M03: returned NULL, handler called 1 time, reported 2 times
