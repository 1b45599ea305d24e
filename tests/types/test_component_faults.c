// SPDX-License-Identifier: MIT
//
// Components when memory fails, at every call that may.

#include "types_test.h"

#include <string.h>

static const char swept_text[] =
    "{ char name[8]; ox_entity e[2]; OX_UNOWNED void *p; SweptInner in[2]; float f; SweptBlob b; }";

static void declare_and_find(void) {
    ox_component inner = pair_component("SweptInner"), blob = pair_component("SweptBlob");
    ox_component outer = pair_component("SweptOuter");
    blob.type.text = NULL;
    outer.type.text = "{ SweptInner a; SweptBlob b; }";
    outer.type.size = 16;
    oxi_component_link(&inner);
    oxi_component_link(&blob);
    oxi_component_link(&outer);

    uint32_t id = ox_component_find("SweptOuter");
    uint32_t again = ox_component_id_of_at(&outer, OX_HERE);

    EXPECT(id == 0 || id == again);
    EXPECT_EQ(again != 0, ox_component_get_info(again) != NULL);
    EXPECT(ox_component_count() <= 3);
    EXPECT(again == 0 || ox_component_id_of_at(&outer, OX_HERE) == again);
    oxi_components_reset();
}

TEST(component_faults, of_declared_ones_leave_nothing_behind) {
    oxi_components_reset();
    test_fault_sweep("declaring components", declare_and_find);
}

static void define_and_use(void) {
    uint32_t inner = define_component("SweptInner", "{ int x, y; }");
    ox_component_def def = {.name = "SweptBlob", .size = 8, .align = 4};
    uint32_t blob = ox_component_register(&def);
    // Without what it holds it would be an error of the caller's.
    uint32_t id = inner != 0 && blob != 0 ? define_component("Swept", swept_text) : 0;
    const ox_component_info *info = ox_component_get_info(id);
    if (info != NULL) {
        _Alignas(16) char value[256] = {0}, before[256] = {0};
        char json[512];
        EXPECT_EQ(info->entity_count, 2);
        size_t length = ox_component_write_json(id, value, json, sizeof json);
        EXPECT_EQ(length, strlen(json));
        if (!ox_component_read_json(id, "{\"f\":1}", 7, value)) {
            EXPECT_EQ(memcmp(value, before, sizeof value), 0);
        }
    }
    oxi_components_reset();
}

TEST(component_faults, of_defined_ones_leave_nothing_behind) {
    oxi_components_reset();
    test_fault_sweep("defining components", define_and_use);
}

static void drop_swept(void *stored) {
    (void)stored;
}

static void give_calls(void) {
    ox_component_def def = {.name = "SweptShared", .text = "{ int a; }"};
    def.kind = OX_COMPONENT_KIND_SHARED;
    uint32_t id = ox_component_register(&def);
    const ox_shared_def calls = {.drop = drop_swept};
    bool is_set = id != 0 && ox_shared_define(id, &calls);
    EXPECT(!is_set || ox_component_get_info(id) != NULL);
    oxi_components_reset();
}

TEST(component_faults, of_shared_ones_leave_nothing_behind) {
    oxi_components_reset();
    test_fault_sweep("calls of shared components", give_calls);
}
