// SPDX-License-Identifier: MIT
//
// How much room a list has, and its elements as an array. A parallel job finds what is near and
// writes it to a list, which must have the room first; another one works on what was found as on an
// array. You see counts and capacities.

#include <oxbow.h>

#include <stdio.h>

enum { STONES = 1000 };

OX_LIST(Found, int);
OX_ARRAY(Numbers, int);

OX_PARALLEL_JOB(Find, {
    Found_writer found;
    int factor;
}) {
    if (i % job->factor == 0) {
        ox_list_write(job->found, i);
    }
}

// The array view has one length: its elements are divided among the workers by index.
OX_PARALLEL_JOB(Move, { Found_array found; }) {
    *ox_array_edit(job->found, i) += 10000;
}

OX_JOB(Total, {
    OX_READ_ONLY Found found;
    Numbers total;
}) {
    OX_EACH(job->found, stone) {
        *ox_array_edit(job->total, 0) += *stone;
    }
}

static void print_room(const char *what, Found found) {
    printf("%-24s %4d elements, room for %4d\n", what, ox_list_count(found),
           ox_list_capacity(found));
}

int main(void) {
    Found found = ox_list_create(Found, 4, OX_PERSISTENT);
    Numbers total = ox_array_create(Numbers, 1, OX_PERSISTENT);

    // A list grows when main pushes, not when jobs write: threads would have to wait for it.
    // Reserve the most that they may find.
    ox_list_reserve(found, STONES);
    print_room("reserved for a job", found);
    ox_complete(ox_schedule_for(Find, STONES, 64, OX_NO_JOB, {ox_list_writer_of(found), 7}));

    // Jobs write beside the list. The next call takes that over, in the order of the indices; a
    // call that does only this puts the cost where you want it.
    ox_list_merge(found);
    print_room("one in seven", found);

    // Later jobs need not wait for main to do it: a job does.
    ox_job second = ox_schedule_for(Find, STONES, 64, OX_NO_JOB, {ox_list_writer_of(found), 100});
    ox_job merged = ox_list_merge_after(found, second);
    ox_complete(ox_schedule(Total, merged, {found, total}));
    printf("%-24s %4d elements, sum %d\n", "and one in a hundred", ox_list_count(found),
           ox_array_read(total, 0));

    // The same memory as an array, until the length changes; and a copy, which stays.
    Found_array before = ox_list_to_array(found, OX_TEMP);
    Found_array view = ox_list_as_array(found);
    ox_complete(ox_schedule_for(Move, ox_array_count(view), 16, OX_NO_JOB, {view}));
    printf("moved: %d is now %d\n", ox_array_read(before, 2), ox_list_read(found, 2));

    // Shorter or longer: new elements are 0. The room stays until it is given back.
    ox_list_resize(found, 3);
    print_room("the first three", found);
    ox_list_resize(found, 5);
    printf("the fifth is %d\n", ox_list_read(found, 4));
    ox_list_trim(found);
    print_room("trimmed", found);
    ox_list_set_capacity(found, 100); // exactly, where reserving gives a power of two
    print_room("for a hundred", found);

    ox_dispose(&found);
    ox_dispose(&total);
}

// Output:
// reserved for a job          0 elements, room for 1024
// one in seven              143 elements, room for 1024
// and one in a hundred      153 elements, sum 75571
// moved: 14 is now 10014
// the first three             3 elements, room for 1024
// the fifth is 0
// trimmed                     5 elements, room for    5
// for a hundred               5 elements, room for  100
