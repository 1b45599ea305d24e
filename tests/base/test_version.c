// SPDX-License-Identifier: MIT

#include "test.h"

TEST(version, of_library_and_headers_agree) {
    EXPECT_EQ(ox_get_version(), OX_VERSION);
    EXPECT(ox_version_check());
}

TEST(version, level_is_the_one_the_library_was_compiled_with) {
    EXPECT_EQ(ox_get_safety_level(), OX_SAFETY);
}

TEST(version, another_patch_fits) {
    EXPECT(ox_version_check_at(OX_VERSION + 1, OX_HERE));
}

TEST(version, another_minor_is_reported_with_both_numbers) {
    collected_reports reports;
    collect_reports(&reports);

    EXPECT(!ox_version_check_at(OX_VERSION + 1000, "game.c:3"));

    EXPECT_REPORT(&reports, OX_REPORT_VERSION_MISMATCH);
    EXPECT_HAS(reports.text, "headers of version 3000, linked with library version 2000");
}
