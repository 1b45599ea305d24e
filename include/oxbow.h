// SPDX-License-Identifier: MIT
//
// All of Oxbow. Include this, or only the headers of the nouns that you use.

#pragma once

#include "oxbow/array.h"
#include "oxbow/base.h"
#include "oxbow/bits.h"
#include "oxbow/components.h"
#include "oxbow/containers.h"
#include "oxbow/element.h"
#include "oxbow/entities.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/jobs.h"
#include "oxbow/keys.h"
#include "oxbow/list.h"
#include "oxbow/map.h"
#include "oxbow/map_walk.h"
#include "oxbow/memory.h"
#include "oxbow/multimap.h"
#include "oxbow/queries.h"
#include "oxbow/queue.h"
#include "oxbow/reduce.h"
#include "oxbow/report.h"
#include "oxbow/safety.h"
#include "oxbow/sort.h"
#include "oxbow/stream.h"
#include "oxbow/struct.h"
#include "oxbow/table.h"
#include "oxbow/trace.h"
#include "oxbow/vector.h"
#include "oxbow/views.h"
#include "oxbow/world.h"
