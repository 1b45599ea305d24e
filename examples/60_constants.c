// SPDX-License-Identifier: MIT
//
// Enum constants as lengths of arrays. Oxbow reads the text of a struct, where a constant is only a
// name: OX_CONSTANT tells its value. Macros need nothing. You see what is reported without it.

#include <oxbow.h>

#include <stdio.h>

enum { COPPER, SILVER, GOLD, COINS };
enum { DAYS = 2, FORGOTTEN = 3 };
OX_CONSTANT(COINS);
OX_CONSTANT(DAYS);

OX_COMPONENT(Purse, { int coins[COINS]; });
OX_COMPONENT(Ledger, { int spent[DAYS + 1][COINS]; });

// The struct of a job is read in the same way.
OX_ENTITY_JOB(Pay, (OX_WRITE(Purse, purse)), { int wages[COINS]; }) {
    for (int k = 0; k < COINS; k++) {
        purse->coins[k] += job->wages[k];
    }
}

// The compiler knows FORGOTTEN, Oxbow does not.
OX_STRUCT(Chest, { int locks[FORGOTTEN]; });

static void print_report(const ox_report *report, void *context) {
    (void)context;
    printf("%s %s\n  fix: %s\n", report->code, report->what, report->fix);
}

static void print_length(const ox_type *type) {
    ox_layout layout;
    if (ox_layout_create(type, &layout)) {
        printf("%s.%s has %u elements\n", type->name, layout.fields[0].name,
               layout.fields[0].count);
        ox_layout_dispose(&layout);
    }
}

// Without macros: a constant of a script, for types that the script describes.
static void announce_at_run_time(void) {
    const ox_constant teeth = {
        .name = "TEETH", .site = OX_HERE, .value = 32, .header_version = OX_VERSION};
    const ox_type jaw = {.name = "Jaw",
                         .text = "{ char teeth[TEETH / 2]; }",
                         .size = 16,
                         .align = 1,
                         .header_version = OX_VERSION};
    if (ox_constant_register(&teeth)) {
        print_length(&jaw);
    }

    // One of this file under another name: its descriptor has the value.
    ox_constant metals = *ox_constant_of(COINS);
    metals.name = "METALS";
    const ox_type mint = {.name = "Mint",
                          .text = "{ char stamps[METALS]; }",
                          .size = (size_t)metals.value,
                          .align = 1,
                          .header_version = OX_VERSION,
                          .scope = metals.scope};
    if (ox_constant_register(&metals)) {
        print_length(&mint);
    }
}

int main(void) {
    ox_report_set_handler((ox_report_handler){print_report, NULL});
    ox_world *world = ox_world_create(NULL);
    ox_entity thief = ox_entity_create(world, OX_VALUE(Purse, {{5, 1, 0}}));

    ox_schedule_entities(Pay, world, OX_AUTO, {{10, 2, 1}});

    char text[64];
    ox_component_write_json(ox_component_id_of(Purse), ox_get(world, thief, Purse), text,
                            sizeof text);
    printf("%s\n", text);
    const ox_component_info *ledger = ox_component_get_info(ox_component_id_of(Ledger));
    printf("Ledger.spent has %u elements\n", ledger->layout.fields[0].count);
    announce_at_run_time();
    print_length(ox_type_of(Chest));
    ox_world_destroy(world);
}

// Output:
// {"coins":[15,3,1]}
// Ledger.spent has 9 elements
// Jaw.teeth has 16 elements
// Mint.stamps has 3 elements
// OX-S07 the length of an array is a name without a value
//   fix: say OX_CONSTANT(FORGOTTEN); before the struct, best beside the enum that has FORGOTTEN
