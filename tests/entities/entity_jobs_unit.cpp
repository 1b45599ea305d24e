// SPDX-License-Identifier: MIT
//
// Jobs over entities as a C++ program writes them.

#include "oxbow/entity_jobs.h"

OX_COMPONENT(Count, { uint32_t value; });
OX_COMPONENT(Step, { uint32_t value; });
OX_COMPONENT(Extra, { uint32_t value; });
OX_TAG(Red);
OX_TAG(Blue);

OX_ENTITY_JOB(CountInCpp,
              (OX_WITH(Step), OX_NONE(Red, Blue), OX_WRITE(Count, count), OX_OPTIONAL(Extra, extra),
               OX_ENTITY(self)),
              { uint32_t add; }) {
    count->value += job->add + (extra != nullptr ? extra->value : 100) + self.index * 1000;
}

OX_CHUNK_JOB(CountChunkInCpp, (OX_WRITE(Count, counts), OX_READ(Step, steps)), { uint32_t add; }) {
    for (int k = 0; k < count; k++) {
        counts[k].value = counts[k].value * 2 + steps[k].value + job->add;
    }
}

OX_ENTITY_JOB(AddOneInCpp, (OX_WRITE(Count, count))) {
    count->value++;
}

extern "C" void schedule_in_cpp(ox_world *world, ox_query *query);

extern "C" void schedule_in_cpp(ox_world *world, ox_query *query) {
    ox_schedule_entities(CountInCpp, world, OX_AUTO, {7});
    ox_schedule_query(CountChunkInCpp, query, OX_AUTO, {3});
    ox_schedule_entities(AddOneInCpp, world, OX_AUTO);
}
