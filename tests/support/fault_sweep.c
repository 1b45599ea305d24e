// SPDX-License-Identifier: MIT
//
// Fails every fallible call of a scenario, one run for each.

#include "test.h"

#include "base/heap.h"
#include "base/substitute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERROR_TEXT = 2048 };

extern const char *test_executable;

// A failed call may be reported as a failure. An error would blame the user for it: its text is
// kept, since a handler must return.
static void accept_failures(const ox_report *report, void *context) {
    if (report->severity == OX_SEVERITY_ERROR) {
        ox_report_format(report, context, ERROR_TEXT);
    }
}

// Returns how many calls were failed.
static uint64_t sweep_once(oxi_fault_mode mode, uint64_t n, void (*scenario)(void)) {
    uint64_t blocks = oxi_heap_get_blocks();
    oxi_fault_plan(mode, n);
    scenario();
    uint64_t failures = oxi_fault_get_failures();
    oxi_fault_plan(OXI_FAULT_NONE, 0);
    if (oxi_heap_get_blocks() != blocks) {
        test_fail(__FILE__, __LINE__, "%lld blocks leaked with call %llu failed (mode %d)",
                  (long long)(oxi_heap_get_blocks() - blocks), (unsigned long long)n, (int)mode);
    }
    return failures;
}

static void note_sites(const ox_site *sites, int count) {
    const char *folder = getenv("OX_TEST_RESULTS");
    if (folder == NULL) {
        return;
    }
    const char *slash = strrchr(test_executable, '/');
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.faults", folder,
             slash != NULL ? slash + 1 : test_executable);
    FILE *file = fopen(path, "w");
    for (int k = 0; k < count && file != NULL; k++) {
        fprintf(file, "%s\n", sites[k]);
    }
    if (file != NULL) {
        fclose(file);
    }
}

void test_fault_sweep(const char *name, void (*scenario)(void)) {
    char error[ERROR_TEXT] = "";
    ox_report_handler before = ox_report_set_handler((ox_report_handler){accept_failures, error});
    scenario();
    uint64_t runs = 0, failures = 0;
    for (int mode = OXI_FAULT_ONE; mode <= OXI_FAULT_FROM; mode++) {
        uint64_t n = 0, failed;
        do {
            failed = sweep_once((oxi_fault_mode)mode, n++, scenario);
            failures += failed;
            runs++;
        } while (failed > 0);
    }
    ox_report_set_handler(before);
    if (error[0] != 0) {
        test_fail(__FILE__, __LINE__, "a failed call led to an error report\n%s", error);
    }

    ox_site sites[OXI_MAX_FAULT_SITES];
    int count = oxi_fault_get_sites(sites, OXI_MAX_FAULT_SITES);
    note_sites(sites, count);
    printf("fault sweep '%s': %llu runs, %llu calls failed, %d sites so far\n", name,
           (unsigned long long)runs, (unsigned long long)failures, count);
}
