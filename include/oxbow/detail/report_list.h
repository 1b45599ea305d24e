// SPDX-License-Identifier: MIT
//
// Every report that Oxbow can make, in one list. docs/reports.md is generated from it.
//
// A row: letter of the subject, two-digit number, name, severity, what, detail, fix. Letter and
// number make the stable id ("OX-M01"): they are never changed and never used again. In detail and
// fix, {name} stands for a value of the report. Rows of one subject stand together, in the order of
// numbers.

#pragma once

/// Calls X(letter, number, name, severity, what, detail, fix) for each report.
// long: a list of data
#define OX_REPORT_LIST(X)                                                                          \
    X(A, 01, UNASSIGNED, ERROR, "a container was never created", "{what} is a zeroed handle",      \
      "create the container before {site}")                                                        \
    X(A, 02, DISPOSED, ERROR, "a container is used after it was disposed",                         \
      "{kind} '{container}' (created {created}) was disposed at {disposed}\n{what}",               \
      "use it before it is disposed, or dispose it later")                                         \
    X(A, 03, TEMP_IN_JOB, ERROR, "Temp memory is given to a job",                                  \
      "field '{field}' of job '{job}' has OX_TEMP memory ({kind}), which only one thread may use", \
      "create it with OX_TEMP_JOB or OX_PERSISTENT")                                               \
    X(A, 04, JOB_HOLDS, ERROR, "main uses what a job is using",                                    \
      "main {verb} {kind} '{container}' (created {created})\n"                                     \
      "job '{other}' ({other_site}) {other_verb} it and has not been completed",                   \
      "complete '{other}' before {site}; a job of a system: ox_world_complete")                    \
    X(A, 05, ALIASED, ERROR, "a job holds a container twice, and writes it",                       \
      "fields '{first}' and '{second}' of job '{job}' are the same {kind} (created {created})",    \
      "{advice}")                                                                                  \
    X(A, 06, READ_ONLY_WRITTEN, ERROR, "something is written that may only be read",               \
      "{kind} '{container}' (created {created}) is read-only {where}",                             \
      "remove OX_READ_ONLY from the field, or do not write at {site}")                             \
    X(A, 07, NOT_DECLARED, ERROR, "a job uses a container that is not in its struct",              \
      "job '{job}' uses {kind} '{container}' (created {created}) through another handle",          \
      "make it a field of '{job}' and use job->field")                                             \
    X(A, 08, OUTSIDE_BATCH, ERROR, "a parallel job leaves its batch",                              \
      "job '{job}' runs indices {begin} to {last}, and touches {index} of {kind} '{container}'",   \
      "use only index i. To add elements, hold a writer of it: OX_LIST(Hits, Hit) declares "       \
      "Hits_writer. A field that is only read is OX_READ_ONLY; with OX_UNRESTRICTED nothing "      \
      "keeps threads apart but your code")                                                         \
    X(A, 09, VIEW_ENDED, ERROR, "a view is used after its container changed",                      \
      "{kind} '{container}' (created {created}) was resized, or given to a job that may resize "   \
      "it",                                                                                        \
      "make the view again after the change, at {site}")                                           \
    X(A, 10, WRITER_READ, ERROR, "a parallel writer is read",                                      \
      "{kind} '{container}' (created {created}) is a parallel writer here, which only adds",       \
      "read it in a job that comes after, or on main after completing this one")                   \
    X(A, 11, RAW_POINTER, ERROR, "a job has a raw pointer",                                        \
      "field '{field}' of job '{job}' ({job_site}) is a pointer, which the safety system cannot "  \
      "follow",                                                                                    \
      "use a container, or write OX_NO_SAFETY before the field")                                   \
    X(A, 12, COPY_ESCAPED, ERROR, "a job's copy of a handle is used outside the job",              \
      "{kind} '{container}' (created {created}) through a handle that job '{job}' held",           \
      "use the handle that the job was scheduled with")                                            \
    X(A, 13, DISPOSED_IN_JOB, ERROR, "a job disposes a container of its struct",                   \
      "job '{job}' disposes {kind} '{container}' (created {created})",                             \
      "dispose it on main, or with ox_dispose_after")                                              \
    X(A, 14, VIEW_DISPOSED, ERROR, "a view is disposed",                                           \
      "it is memory of {kind} '{container}' (created {created})",                                  \
      "dispose the container that the view was made from")                                         \
    X(A, 15, TEMP_ENDED, ERROR, "a Temp container is used after its frame or job",                 \
      "{kind} of frame {made}, now is frame {frame}",                                              \
      "create it again, or use OX_TEMP_JOB or OX_PERSISTENT")                                      \
    X(A, 16, UNMARKED_VIEW, ERROR, "a read-only handle is in a field that may be written",         \
      "field '{field}' of job '{job}' is a read-only {kind} '{container}' (created {created})",    \
      "write OX_READ_ONLY before the field")                                                       \
    X(A, 17, BAD_ACCESS, ERROR, "a handle does not belong to any container",                       \
      "token {token} does not exist", "pass a handle that a container's create returned")          \
    X(A, 18, BAD_JOB_ACCESS, ERROR, "a job type lists an access that is not in its struct",        \
      "access '{field}' of job '{job}' lies at {offset}, the struct has {size} bytes",             \
      "pass the offset of the ox_access in the struct")                                            \
    X(A, 19, NOT_DIVISIBLE, ERROR, "a parallel job may write a container that has no indices",     \
      "field '{field}' of job '{job}' is {kind} '{container}' (created {created}), which "         \
      "batches cannot share",                                                                      \
      "mark the field OX_READ_ONLY, pass a parallel writer, or mark it OX_UNRESTRICTED")           \
    X(B, 01, NULL_ARGUMENT, ERROR, "an argument that must not be NULL is NULL",                    \
      "'{argument}' of {function} is NULL", "pass a valid '{argument}' at {site}")                 \
    X(B, 02, DEF_GARBAGE, ERROR, "a def was not zeroed",                                           \
      "the guards of this {def} are not 0, so its other fields cannot be trusted either",          \
      "write `{def} def = {0};` before setting fields at {site}")                                  \
    X(B, 03, VERSION_MISMATCH, ERROR, "headers and library do not fit",                            \
      "compiled with the headers of version {headers}, linked with library version {library}",     \
      "compile and link against one version of Oxbow")                                             \
    X(B, 04, BROKEN_INVARIANT, ERROR, "Oxbow found its own state broken",                          \
      "'{expression}' does not hold at {where}",                                                   \
      "look for writes outside allocations first; if there are none, this is a bug of Oxbow")      \
    X(B, 05, ENDED, ERROR, "a world, query or system is used after its end",                       \
      "{function} of {object} (made {made}), which ended at {ended}",                              \
      "use it before {ended}, or set your pointer to NULL there")                                  \
    X(B, 06, BAD_ENUM, ERROR, "a value is none of its enum",                                       \
      "'{argument}' of {what} is {value}, which is no {enum}",                                     \
      "pass one of {enum}, 0 to {most}, at {site}")                                                \
    X(B, 07, EMPTY_RANGE, ERROR, "a random number is drawn from an empty range",                   \
      "{low} to {high} for {function}", "pass finite numbers, the lower one first, at {site}")     \
    X(C, 01, BAD_LENGTH, ERROR, "a length or capacity cannot be used",                             \
      "{count} elements in a {kind}", "pass 0 to {most} at {site}")                                \
    X(C, 02, BAD_ELEMENT, ERROR, "a type cannot be an element", "'{type}' in a {kind}: {why}",     \
      "{advice}")                                                                                  \
    X(C, 03, ELEMENT_MISMATCH, ERROR, "elements are used as another type",                         \
      "{kind} '{container}' holds {stored}, this call names {asked}",                              \
      "name the type that the container was created with at {site}")                               \
    X(C, 04, OUT_OF_BOUNDS, ERROR, "an index is outside a container",                              \
      "index {index} of {kind} '{container}' with {count} elements",                               \
      "use 0 to {count} - 1 at {site}")                                                            \
    X(C, 05, EMPTY, ERROR, "an element is taken from an empty container",                          \
      "{kind} '{container}' (created {created}) has no elements",                                  \
      "ask for the count first, or use the form that returns false")                               \
    X(C, 06, CAPACITY_BELOW_COUNT, ERROR, "a capacity is smaller than the number of elements",     \
      "capacity {capacity} for {kind} '{container}' with {count} elements",                        \
      "remove elements first, or ask for more at {site}")                                          \
    X(C, 07, FULL, ERROR, "a parallel writer is full",                                             \
      "{kind} '{container}' (created {created}) has room for {capacity}, and cannot grow in a "    \
      "job",                                                                                       \
      "reserve more before scheduling the job")                                                    \
    X(C, 08, CHANGED_WHILE_READ, ERROR, "a container was changed while it is walked",              \
      "{kind} '{container}' (created {created}) was changed after the walk began",                 \
      "collect the changes and make them after the walk at {site}")                                \
    X(C, 09, KEY_HAS_PADDING, ERROR, "a key has padding bytes",                                    \
      "'{type}' is compared byte by byte, and some of its bytes have no defined value",            \
      "order its fields without gaps, or give the container a hash and an equality function")      \
    X(C, 11, KEY_MISSING, ERROR, "a key is read that is not there",                                \
      "{kind} '{container}' (created {created})",                                                  \
      "use the form that finds (ox_map_find) or has a default (ox_map_read_or) at {site}")         \
    X(C, 12, LENGTHS_DIFFER, ERROR, "elements are copied between different lengths",               \
      "{source} elements to {target}", "copy between containers, or slices, of one length")        \
    X(C, 13, BAD_STRIDE, ERROR, "a slice cannot be cut like that",                                 \
      "{why}: element size {size}, stride {stride}, offset {offset}",                              \
      "name a field that is inside each element at {site}")                                        \
    X(C, 14, FOREIGN_ITERATOR, ERROR, "an iterator belongs to another container",                  \
      "it was not made by {kind} '{container}' (created {created})",                               \
      "use the iterator with the container that returned it")                                      \
    X(C, 15, NOT_IN_JOB, ERROR, "a parallel writer is used by a thread that runs no job",          \
      "{kind} '{container}' (created {created})",                                                  \
      "use it in a job, or write through the container itself on main")                            \
    X(C, 16, BAD_FUNCTION, ERROR, "a def has one function of two",                                 \
      "{missing} of this {def} is NULL", "set both, or neither")                                   \
    X(C, 17, STREAM_END, ERROR, "a stream is read past its end",                                   \
      "stream '{container}' (created {created}) holds {count} values",                             \
      "ask ox_stream_reader_has_next first at {site}")                                             \
    X(D, 01, COMMANDS_ENDED, ERROR, "commands are used after their end",                           \
      "{function} on commands of {whose}",                                                         \
      "ask for new ones in each update, at {site}, and drop them when their world ends")           \
    X(D, 02, COMMANDS_PLAYED, ERROR, "commands are used after they were played back",              \
      "{function} on '{commands}' (made {made})",                                                  \
      "make other commands, or clear these; make them with .plays_often to play them back again")  \
    X(D, 03, COMMANDS_PLAYING, ERROR, "commands are used while they are played back",              \
      "{function} on '{commands}' (made {made}), in a report handler or a call of the world",      \
      "do it when the playback is over")                                                           \
    X(D, 04, COMMAND_FAILED, ERROR, "a command could not be carried out",                          \
      "command {number} of '{commands}', recorded by {system}: {command} {component}, entity "     \
      "{index}:{version}\n{cause}: {why}",                                                         \
      "look at what is recorded at {site}; the other commands were carried out")                   \
    X(D, 05, COMMANDS_LEFT, WARNING, "commands are disposed that were never played back",          \
      "'{commands}' (made {made}) of world '{world}' has {count} commands",                        \
      "call ox_commands_playback before {site}, or ox_commands_clear if they are not wanted")      \
    X(D, 06, COMMANDS_LEAKED, WARNING, "commands were not disposed when their world ended",        \
      "'{commands}' (made {made}) of world '{world}' has {count} commands",                        \
      "call ox_commands_dispose before the world is destroyed at {site}")                          \
    X(D, 07, TEMPORARY_ENTITY, ERROR, "a temporary id is used outside its commands",               \
      "{function}: {index}:{version} is the temporary id of an entity that commands will create",  \
      "use it in commands of the same buffer, before they are played back")                        \
    X(D, 08, PLAYBACK_STOPPED, FAILURE, "a playback stopped out of memory",                        \
      "'{commands}' (made {made}): {number} commands were carried out in world '{world}'",         \
      "free memory and call ox_commands_playback again: it goes on there")                         \
    X(D, 09, COMMANDS_OWNED, ERROR, "commands of a system are played back or disposed by hand",    \
      "{function} on '{commands}', which belongs to {system}",                                     \
      "leave that to the system, or make commands of your own with ox_commands_create")            \
    X(D, 10, BARRIER_STOPPED, FAILURE, "a barrier could not play back all of its commands",        \
      "'{system}': {count} buffers are left for its next update",                                  \
      "look at the reports before this one, and complete jobs that record outside systems")        \
    X(D, 11, NO_COMMANDS_HERE, ERROR, "a system has no commands here",                             \
      "'{system}' ({system_site}): {why}",                                                         \
      "ask for them in the update of a system, or make some with ox_commands_create")              \
    X(D, 12, NO_BARRIER, ERROR, "a system is not a barrier",                                       \
      "'{system}' ({system_site}), {function}",                                                    \
      "name a barrier: one of the default ones, or one that is declared with OX_BARRIER")          \
    X(E, 01, STALE_ENTITY, ERROR, "an entity is not alive",                                        \
      "{function} of entity {index}:{version}; in world '{world}' that id has version {there}",    \
      "ask {question} first, or drop the handle when you destroy the entity")                      \
    X(E, 02, NO_COMPONENT, ERROR, "an entity does not have a component",                           \
      "entity {index}:{version} in world '{world}' has no '{component}'",                          \
      "add it first, or ask {question}, at {site}")                                                \
    X(E, 03, UNKNOWN_COMPONENT, ERROR, "a component id does not exist",                            \
      "id {id} in world '{world}'",                                                                \
      "pass what ox_component_id_of or ox_component_register returned")                            \
    X(E, 04, WORLD_THREAD, ERROR, "a world is used on a thread that does not own it",              \
      "{function} of world '{world}'", "call it on the thread that created the world")             \
    X(E, 05, WORLD_IN_JOB, ERROR, "a world is used inside a job",                                  \
      "{function} of world '{world}' in job '{job}'",                                              \
      "record it with ox_commands, read through "                                                  \
      "a lookup, or do it on main when the job is complete")                                       \
    X(E, 06, ARCHETYPE_TOO_LARGE, ERROR, "the components of an entity do not fit in a chunk",      \
      "{count} components in world '{world}', {shared} of them shared, need {bytes} bytes for "    \
      "one entity\nthere are {most} bytes, for 256 components at most, 64 of them shared",         \
      "make components smaller, or divide them among several entities")                            \
    X(E, 07, DUPLICATE, ERROR, "a list has a duplicate", "{what} in a list for {function}",        \
      "name each one once at {site}")                                                              \
    X(E, 08, ENTITY_LIMIT, FAILURE, "a world is full",                                             \
      "{count} entities more than world '{world}' may have, its limit is {limit}",                 \
      "destroy some, or raise entity_limit in the def of the world")                               \
    X(E, 09, BAD_COUNT, ERROR, "a number cannot be used", "{count} for {function}",                \
      "pass {least} to {most} at {site}")                                                          \
    X(E, 10, FOREIGN_HANDLE, ERROR, "a handle belongs to another world",                           \
      "the {kind} is not of world '{world}'", "make it with the world that it is used with")       \
    X(E, 11, NAME_TAKEN, ERROR, "two entities would have the same name",                           \
      "entity {index}:{version} in world '{world}' is called '{name}' already",                    \
      "choose another name, or take it from the other entity first")                               \
    X(E, 12, TAG_HAS_NO_VALUE, ERROR, "a tag has no value", "'{component}' is a tag",              \
      "ask ox_has at {site}")                                                                      \
    X(E, 13, WORLD_BROKEN, ERROR, "a world is broken", "world '{world}': {why}",                   \
      "look for writes outside components first; if there are none, this is a bug of Oxbow")       \
    X(E, 14, NOT_IN_QUERY, ERROR, "a query is used for a component that it did not declare",       \
      "the query made at {query_site} {what} '{component}'",                                       \
      "name '{component}' in the terms of the query, with {term}")                                 \
    X(E, 15, CHANGED_IN_LOOP, ERROR, "a world was changed inside a loop over it",                  \
      "the loop begun at {begun} goes on after the change at {changed} in world '{world}'",        \
      "record it with ox_commands and play that back after the loop, or leave the loop after "     \
      "the change")                                                                                \
    X(E, 16, WORLD_IN_CALL, ERROR, "a world is used inside a call that it makes",                  \
      "{function} of world '{world}' while it {call}",                                             \
      "do it when that call has returned, at {site}")                                              \
    X(E, 17, WRONG_KIND, ERROR, "a component is used as another kind",                             \
      "{function} of '{component}', which is {kind}", "{advice} at {site}")                        \
    X(E, 18, RESIDUE, ERROR, "a destroyed entity with cleanup components is changed",              \
      "{function} of entity {index}:{version} in world '{world}', which has only cleanup "         \
      "components left",                                                                           \
      "remove its cleanup components, which ends it; check it with ox_has and ox_destroyed")       \
    X(E, 19, BAD_GROUP, ERROR, "a linked group cannot be used",                                    \
      "entity {index}:{version} in world '{world}' has a group that does not begin with itself",   \
      "put the entity first in its ox_linked buffer, then its parts")                              \
    X(E, 20, BUFFER_ENDED, ERROR, "a buffer is used after its world changed",                      \
      "the handle to '{component}' in world '{world}' is older than its last structural change, "  \
      "at {changed}, or than a job of the world that was scheduled since",                         \
      "get the buffer again after the change, or after scheduling, at {site}")                     \
    X(E, 21, BUFFER_READ_ONLY, ERROR, "a buffer is written that may only be read",                 \
      "{function} of '{component}' in world '{world}' through a handle that reads",                \
      "get it to write, with ox_edit or OX_WRITE, or do not write at {site}")                      \
    X(E, 22, BUFFER_VIEW_ENDED, ERROR, "a view of a buffer is used after its length changed",      \
      "'{component}' had {before} elements and has {count} now, or another capacity",              \
      "make the view again after the change, at {site}")                                           \
    X(E, 23, TORN_GROUP, ERROR, "a query matches only a part of a linked group",                   \
      "entity {index}:{version} in world '{world}' matches, {member_index}:{member_version} of "   \
      "its group does not",                                                                        \
      "let the query match all of the group, or destroy the entity with ox_entity_destroy")        \
    X(E, 24, NOT_SINGLE, ERROR, "a singleton does not exist exactly once",                         \
      "{count} {entities} of world '{world}' {have}", "{advice}")                                  \
    X(E, 25, SINGLETON_BUSY, ERROR, "a singleton is used while a job uses it",                     \
      "{function} of '{component}' while job '{job}' is not complete",                             \
      "call ox_world_complete first; in a system, declare '{component}' in its create; or use "    \
      "ox_get with the entity, which waits")                                                       \
    X(E, 26, QUERY_OWNED, ERROR, "a query of a system is destroyed",                               \
      "the query made at {query_site} belongs to system '{system}', and ends with it",             \
      "do not destroy what ox_system_query returned or was injected; one of ox_query_create is "   \
      "yours to destroy")                                                                          \
    X(E, 27, OTHER_COMPONENT, ERROR, "a view or lookup is used as another component",              \
      "a {kind} of {component}, and the call names {named}",                                       \
      "name the component that it was made of, or make one of the other")                          \
    X(J, 01, NOT_MAIN, ERROR, "a job call comes from a thread that is not main",                   \
      "{function} ('{job}') was called on another thread than the one that started the job "       \
      "system",                                                                                    \
      "call it on main; a job that needs more work done returns and lets main schedule it")        \
    X(J, 02, INSIDE_JOB, ERROR, "a job call comes from inside a job",                              \
      "{function} ('{job}') was called while main runs a job",                                     \
      "schedule the work beforehand, with dependencies, and let the job return")                   \
    X(J, 03, TWO_JOBS_RACE, ERROR, "two jobs would race",                                          \
      "job '{job}' ({site}) {verb} {kind} '{container}' (created {created})\n"                     \
      "job '{other}' ({other_site}) {other_verb} it and has not been completed",                   \
      "pass the handle of '{other}' as the `after` of '{job}' at {site}, or complete it first"     \
      "{more}")                                                                                    \
    X(J, 04, BAD_RANGE, ERROR, "a count or a batch size cannot be used",                           \
      "'{job}' with count {count} and batch {batch}",                                              \
      "pass a count of 0 or more and a batch of 1 or more at {site}")                              \
    X(J, 05, BAD_JOB_TYPE, ERROR, "a job type cannot be used", "'{job}': {why}",                   \
      "declare the job with OX_JOB, OX_PARALLEL_JOB or OX_RANGE_JOB, and schedule it as such")     \
    X(J, 06, JOBS_RUNNING, ERROR, "the job system is running already",                             \
      "it was started with {workers} workers, or by scheduling a job",                             \
      "call ox_jobs_start before the first job, or ox_jobs_stop before {site}")                    \
    X(J, 07, TOO_MANY_JOBS, FAILURE, "too many jobs are outstanding, or out of memory",            \
      "'{job}' is refused, {count} slots are in use",                                              \
      "complete some jobs before scheduling more at {site}")                                       \
    X(J, 08, JOBS_OUTSTANDING, WARNING, "the job system is stopped with outstanding jobs",         \
      "{count} jobs were outstanding, among them '{job}' scheduled at {job_site}; they were run",  \
      "complete every job before ox_jobs_stop at {site}")                                          \
    X(J, 09, THREAD_NOT_STARTED, FAILURE, "the system did not start a thread",                     \
      "thread '{thread}' was refused", "lower the number of threads, or raise the system's limit") \
    X(J, 10, BAD_JOBS_DEF, ERROR, "an ox_jobs_def cannot be used",                                 \
      "worker_count {workers}, reserved_cores {reserved}, background_count {background}, spin_us " \
      "{spin}",                                                                                    \
      "use 0 for defaults, OX_NO_WORKERS and OX_NO_SPIN for none, and no other negative number")   \
    X(J, 11, TRACE_NOT_WRITTEN, FAILURE, "the file of a trace cannot be written",                  \
      "'{path}': {why}", "pass a path that can be written, with enough space, at {site}")          \
    X(J, 12, AUTO_AFTER, ERROR, "a job that has no accesses of its own waits for OX_AUTO",         \
      "job '{job}' is not a job over entities",                                                    \
      "pass a handle, or OX_NO_JOB, as its `after` at {site}")                                     \
    X(J, 13, BAD_LATE_COUNT, ERROR, "the count that a job takes when it starts cannot be used",    \
      "job '{job}' took {count} indices, and runs none",                                           \
      "let earlier jobs leave a count from 0 to 2147483647 for the job scheduled at {site}")       \
    X(M, 01, OUT_OF_MEMORY, FAILURE, "out of memory",                                              \
      "{bytes} bytes from {allocator} were refused", "free something, or ask for less at {site}")  \
    X(M, 02, SIZE_OVERFLOW, ERROR, "an allocation is larger than any memory",                      \
      "{count} elements of {size} bytes", "look for a negative or uninitialised count at {site}")  \
    X(M, 03, BAD_ALIGNMENT, ERROR, "an alignment cannot be used",                                  \
      "alignment {align} is not a power of two from 1 to {most}",                                  \
      "pass the alignment of the type, as _Alignof gives it, at {site}")                           \
    X(M, 04, FREED_TWICE, ERROR, "a block is freed twice",                                         \
      "block {block} was allocated at {alloc_site} and freed at {free_site}",                      \
      "remove one of the two frees, or set the pointer to NULL after the first")                   \
    X(M, 05, FREE_UNKNOWN, ERROR, "a block that is not allocated is freed",                        \
      "block {block} is not a live allocation of {allocator}",                                     \
      "pass the pointer that the allocation returned, unchanged, at {site}")                       \
    X(M, 06, FREE_SIZE_MISMATCH, ERROR, "a block is freed with another size or alignment",         \
      "allocated with {size} bytes, alignment {align} at {alloc_site}\n"                           \
      "freed with {given_size} bytes, alignment {given_align}",                                    \
      "pass the size and alignment of the allocation at {site}")                                   \
    X(M, 07, FREE_WRONG_ALLOCATOR, ERROR, "a block is freed by another allocator",                 \
      "allocated from {allocator} at {alloc_site}, freed to {given}",                              \
      "free it with {allocator} at {site}")                                                        \
    X(M, 08, HOOKS_TOO_LATE, ERROR, "memory hooks are set after the first allocation",             \
      "blocks of the hooks in use exist already",                                                  \
      "call ox_memory_set_hooks before anything else in main, at {site}")                          \
    X(M, 09, HALF_ALLOCATOR, ERROR, "an allocator has one function of two",                        \
      "{missing} of '{name}' is NULL", "set both alloc_fn and free_fn, or neither")                \
    X(M, 10, UNKNOWN_ALLOCATOR, ERROR, "an allocator does not exist",                              \
      "{allocator} was never created, or is destroyed",                                            \
      "pass OX_TEMP, OX_TEMP_JOB, OX_PERSISTENT or a live ox_allocator at {site}")                 \
    X(M, 11, TEMP_OUTLIVED, ERROR, "Temp memory is used after its frame, scope or job",            \
      "block {block} is not Temp memory of the current frame {frame}",                             \
      "use OX_TEMP_JOB (4 frames) or OX_PERSISTENT for what must live longer")                     \
    X(M, 12, TEMP_WRONG_THREAD, ERROR, "Temp memory is freed by another thread",                   \
      "block {block} belongs to thread {owner}, this is thread {thread}",                          \
      "free it on the thread that allocated it, or allocate from OX_TEMP_JOB")                     \
    X(M, 13, TEMP_JOB_OLD, WARNING, "TempJob memory is older than 4 frames",                       \
      "{size} bytes allocated in frame {made}, now is frame {frame}; they stay usable",            \
      "free it within 4 frames, or allocate from OX_PERSISTENT at {alloc_site}")                   \
    X(M, 14, LEAK, WARNING, "memory was never freed",                                              \
      "{owner}{count} {blocks}, {bytes} bytes from {allocator}, allocated at {alloc_site}",        \
      "{verb} what is allocated at {alloc_site}")                                                  \
    X(M, 15, BAD_BLOCK, ERROR, "an allocator returned a block that cannot be used",                \
      "'{name}' returned {block} for {size} bytes with alignment {align}: {why}",                  \
      "correct alloc_fn of '{name}'")                                                              \
    X(M, 16, ALLOCATOR_IN_USE, ERROR, "an allocator with live blocks is destroyed",                \
      "'{name}' has {count} live {blocks}, one allocated at {alloc_site}",                         \
      "free them before ox_allocator_destroy at {site}")                                           \
    X(M, 17, ALLOCATOR_LIMIT, FAILURE, "too many allocators",                                      \
      "{count} allocators exist, which is the limit", "destroy some, or share one among users")    \
    X(M, 18, TEMP_SCOPE_ORDER, ERROR, "Temp scopes are ended out of order",                        \
      "scope {scope} is ended while scope {open} is the innermost open one",                       \
      "end scopes on their own thread, innermost first, and before ox_frame_end")                  \
    X(M, 19, ALLOCATOR_REENTERED, ERROR, "an allocator called back into Oxbow",                    \
      "alloc_fn or free_fn of '{name}' called {function}",                                         \
      "let the functions of an allocator call nothing of Oxbow")                                   \
    X(M, 20, TEMP_FOR_WORLD, ERROR, "a world would outlive its memory",                            \
      "{allocator} as the allocator of a world, which lives until it is destroyed",                \
      "leave `allocator` 0, or pass OX_PERSISTENT or one of ox_allocator_create, at {site}")       \
    X(S, 01, UNKNOWN_TYPE, ERROR, "a struct has a field of a type that is not known",              \
      "field '{field}' of '{struct}' ({struct_site}) has type '{type}'",                           \
      "declare '{type}' with OX_STRUCT, or with OX_EXTERN_STRUCT if it is declared elsewhere")     \
    X(S, 02, UNREADABLE_FIELD, ERROR, "a struct has a field that cannot be read",                  \
      "field '{field}' of '{struct}' ({struct_site}): {why}", "{advice}")                          \
    X(S, 03, LAYOUT_MISMATCH, ERROR, "a struct's text and its size disagree",                      \
      "the text of '{struct}' ({struct_site}) makes {text_size} bytes aligned to {text_align}, "   \
      "the compiler says {size} aligned to {align}",                                               \
      "remove packing attributes and pragmas from '{struct}'; a type it uses may be announced "    \
      "with another size")                                                                         \
    X(S, 04, TYPE_CONFLICT, ERROR, "two types have the same name",                                 \
      "'{name}' at {first_site} and '{name}' at {second_site} differ in {difference}",             \
      "rename one of them, or share one declaration through a header")                             \
    X(S, 05, STRUCT_TOO_DEEP, ERROR, "structs contain each other too deeply",                      \
      "'{struct}' ({struct_site}) is nested {depth} deep at field '{field}'",                      \
      "remove the cycle, or flatten the structs: {depth} is the limit")                            \
    X(S, 06, BAD_TYPE, ERROR, "a type description is not usable", "'{name}': {why}",               \
      "correct the ox_type at {site}")                                                             \
    X(S, 07, UNKNOWN_CONSTANT, ERROR, "the length of an array is a name without a value",          \
      "field '{field}' of '{struct}' ({struct_site}): the file that declares '{struct}' does not " \
      "announce '{constant}'",                                                                     \
      "say OX_CONSTANT({constant}); before the struct, best beside the enum that has {constant}")  \
    X(S, 08, CONSTANT_CONFLICT, ERROR, "the length of an array is a name with two values",         \
      "field '{field}' of '{struct}' ({struct_site}): '{constant}' is {first_value} at "           \
      "{first_site} and {second_value} at {second_site}",                                          \
      "rename one of the two constants")                                                           \
    X(S, 09, BAD_CONSTANT, ERROR, "a constant cannot be announced", "'{name}': {why}",             \
      "correct the ox_constant at {site}")                                                         \
    X(T, 01, BAD_COMPONENT, ERROR, "a component cannot be used", "'{component}': {why}",           \
      "{advice} ({component_site})")                                                               \
    X(T, 02, COMPONENT_CONFLICT, ERROR, "two components have the same name",                       \
      "'{component}' at {first_site} and '{component}' at {component_site} differ in "             \
      "{difference}",                                                                              \
      "rename one of them, or share one declaration through a header")                             \
    X(T, 03, COMPONENT_LIMIT, FAILURE, "too many component types",                                 \
      "'{component}' ({component_site}) is one more than {count}",                                 \
      "use fewer types; give kinds of one thing a field, not a type each")                         \
    X(T, 04, COMPONENT_CONTAINER, ERROR, "a component has a container in it",                      \
      "field '{field}' of '{component}' ({component_site}) is of type '{type}'",                   \
      "use a fixed array, or keep the container outside the entities")                             \
    X(T, 05, COMPONENT_POINTER, ERROR, "a component has a raw pointer",                            \
      "field '{field}' of '{component}' ({component_site}) is a pointer, which is neither saved "  \
      "nor followed",                                                                              \
      "use an ox_entity or an index, or write OX_UNOWNED before the field")                        \
    X(T, 06, COMPONENT_TOO_LARGE, ERROR, "a component is larger than a chunk",                     \
      "'{component}' ({component_site}) has {size} bytes, {most_size} is the limit",               \
      "make its arrays shorter, or cut it into several components")                                \
    X(T, 07, COMPONENT_ALIGNMENT, ERROR, "the alignment of a component cannot be used",            \
      "'{component}' ({component_site}) is aligned to {align}, not to a power of two from 1 to "   \
      "{most_align}",                                                                              \
      "lower its alignment to {most_align} or less")                                               \
    X(T, 08, UNKNOWN_COMPONENT_ID, ERROR, "a component id does not exist",                         \
      "id {id} was passed to {function}",                                                          \
      "pass what ox_component_id_of, ox_component_find or ox_component_register returned at "      \
      "{site}")                                                                                    \
    X(T, 09, BAD_FIELD_PATH, ERROR, "a path leads to no field",                                    \
      "'{path}' of '{component}' ({component_site}): {why}, at '{part}'",                          \
      "write names of fields as in 'place.x' or 'slots[3].count' at {site}")                       \
    X(T, 10, BAD_FIELD_VALUE, ERROR, "a value does not fit into a field",                          \
      "{value} into '{path}' of '{component}', which is of type '{type}': {why}",                  \
      "pass a value that the field can hold at {site}")                                            \
    X(T, 11, BAD_COMPONENT_JSON, ERROR, "a JSON text does not fit a component",                    \
      "'{component}', at {path}: {why}", "correct the text, or the component, at {site}")          \
    X(V, 01, SAME_WORLD, ERROR, "entities go to the world that they are in",                       \
      "{function} of world '{world}' into itself",                                                 \
      "pass two different worlds, or use ox_entities_copy, at {site}")                             \
    X(V, 02, MOVE_BY_ROWS, ERROR, "a query that depends on single entities moves no chunks",       \
      "the query ({query_site}) asks whether '{component}' is on, and {function} takes "           \
      "whole chunks",                                                                              \
      "write OX_PRESENT({component}) in the query, or copy the entities with ox_world_copy "       \
      "and destroy them")                                                                          \
    X(V, 03, SHARED_OWNED, ERROR, "a shared value would have two owners",                          \
      "'{component}' has a drop call and no copy call, and worlds '{from}' and '{to}' "            \
      "would both have a value of it",                                                             \
      "give it a copy call with ox_shared_define, or move all entities that have the "             \
      "value, and reset filters that name it")                                                     \
    X(V, 04, NAME_LEFT, WARNING, "a name is taken where an entity arrives",                        \
      "entity {index}:{version} of world '{from}' was called '{name}', and so is another "         \
      "of world '{world}': it has no name there",                                                  \
      "rename one of them before {site}")                                                          \
    X(V, 05, WORLD_LENT, ERROR, "a world is used while it is lent",                                \
      "{function} of world '{world}', which was lent at {begun}",                                  \
      "use it between ox_transaction_enter and ox_transaction_leave, or after "                    \
      "ox_transaction_end")                                                                        \
    X(V, 06, TRANSACTION_ENTERED, ERROR, "a transaction is already entered",                       \
      "{function} of world '{world}' (lent at {begun}), which {who} has entered and not "          \
      "left",                                                                                      \
      "call ox_transaction_leave there before {site}: one at a time may use a world")              \
    X(V, 07, TRANSACTION_OVER, ERROR, "a transaction is not under way",                            \
      "{function}: the transaction was never begun, or was ended",                                 \
      "use what ox_transaction_begin returned, before ox_transaction_end")                         \
    X(V, 08, TRANSACTION_NOT_ENTERED, ERROR, "a transaction is left without being entered",        \
      "{function} of world '{world}' (lent at {begun}), which {who} has entered",                  \
      "call ox_transaction_leave in the job, or on the thread, that called "                       \
      "ox_transaction_enter")                                                                      \
    X(V, 09, TRANSACTION_NOT_LEFT, ERROR, "a transaction was not left",                            \
      "{who} entered world '{world}' (lent at {begun}) and ended inside; the next may enter",      \
      "call ox_transaction_leave on every path that follows {site}")                               \
    X(W, 01, ORDER_CYCLE, ERROR, "systems are ordered in a cycle", "in world '{world}'\n{cycle}",  \
      "remove one of these constraints; none of them holds until then")                            \
    X(W, 02, UNREGISTERED_JOB, ERROR, "a job that no system completes uses components",            \
      "{system} {what} '{component}'\njob '{job}' ({job_site}) {verb} it, was not "                \
      "completed, and no system returned its handle",                                              \
      "schedule '{job}' in a job system that returns a handle which covers it, or complete "       \
      "it before {site}")                                                                          \
    X(W, 03, UNPLANNED_SYNC, WARNING, "main waits for jobs in the middle of an update",            \
      "system '{system}' {what} '{component}', and job '{job}' conflicts with it",                 \
      "declare it in the system's create, do it in a job, or move '{system}' before the "          \
      "system that schedules '{job}'")                                                             \
    X(W, 04, WORLD_UPDATING, ERROR, "a world is used in a way that its update does not allow",     \
      "{function} of world '{world}', in the update of system '{system}'",                         \
      "call it after ox_world_update returned")                                                    \
    X(W, 05, WRONG_HANDLE, ERROR, "a system returned a wrong handle",                              \
      "system '{system}' ({system_site}): {why}",                                                  \
      "return a handle that covers all jobs of the update: combine them, or schedule each "        \
      "after the one before")                                                                      \
    X(W, 06, UNKNOWN_SYSTEM, ERROR, "no system or group has that name",                            \
      "system '{system}' ({system_site}) says {field} '{name}'", "{advice}")                       \
    X(W, 07, TWO_SYSTEMS, ERROR, "two systems have the same name",                                 \
      "'{system}' ({first_site}) and '{system}' ({system_site}) in world '{world}'",               \
      "rename one of them")                                                                        \
    X(W, 08, BAD_SYSTEM, ERROR, "a system cannot be used", "'{system}' ({system_site}): {why}",    \
      "{advice}")                                                                                  \
    X(W, 09, CREATE_FAILED, FAILURE, "a system could not be created",                              \
      "create of '{system}' ({system_site}) returned false in world '{world}'",                    \
      "see what it reported, or why it returned false; the system is not in the world")            \
    X(W, 10, CREATE_SCHEDULES, ERROR, "create of a system leaves an outstanding job",              \
      "create of '{system}' ({system_site}) scheduled '{job}' ({job_site}) and did not "           \
      "complete it",                                                                               \
      "schedule in the update, or complete the job in create; it was completed now")               \
    X(W, 11, NOT_A_SYSTEM, ERROR, "a root system is used as a system",                             \
      "{function} with the root system of world '{world}'",                                        \
      "pass what ox_system_add or ox_system_find returned, or the `system` of an update")          \
    X(W, 12, NO_SYSTEMS, WARNING, "a world without systems is updated",                            \
      "world '{world}' has no system",                                                             \
      "declare one with OX_SYSTEM; systems of a static library need --whole-archive or "           \
      "ox_system_add")                                                                             \
    X(W, 13, BAD_TIME, ERROR, "a time is not usable", "{value} for {what}",                        \
      "pass seconds, from 0 on, at {site}")                                                        \
    X(W, 14, BAD_STATE, ERROR, "the state of a system is requested with another size",             \
      "'{system}' ({system_site}) has {size} bytes of state, {asked} were asked for",              \
      "write .state = sizeof(the struct) in the def of '{system}'")                                \
    X(W, 15, JOB_AT_WORLD_END, WARNING, "a world is destroyed while a job uses it",                \
      "job '{job}' ({job_site}) {verb} '{component}' of world '{world}', was not completed, "      \
      "and no system returned its handle; it was waited for",                                      \
      "complete '{job}' before {site}")                                                            \
    X(W, 17, GROUP_TOO_DEEP, ERROR, "groups are nested too deeply",                                \
      "group '{system}' ({system_site}) would be {depth} deep in world '{world}', {most} is the "  \
      "limit",                                                                                     \
      "put it into a group farther out: .before and .after order it there, too")
