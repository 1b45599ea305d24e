// SPDX-License-Identifier: MIT
//
// What the operations on queries share.

#pragma once

#include "entities/kinds_run.h"

/// True when a query finds an entity, filters included.
bool kinds_matches(const kinds_query *query, const kinds_entity *entity);

/// The same whatever is switched off, and without filters: what its components alone say.
bool kinds_matches_chunk(const kinds_query *query, const kinds_entity *entity);

/// True when filters let an entity pass.
bool kinds_passes(const kinds_query *query, const kinds_entity *entity);

int kinds_count_matches(const kinds_run *run, const kinds_query *query);

/// Compares what a query counts, and what a walk over it finds.
void kinds_check_counts(kinds_run *run, const kinds_query *query);
void kinds_check_walk(kinds_run *run, const kinds_query *query);

/// Changes what there is inside of a walk over a query, which goes on or ends.
void kinds_change_in_loop(kinds_run *run, const kinds_query *query);

/// Changes all that a query finds.
void kinds_query_change(kinds_run *run, const kinds_query *query);
