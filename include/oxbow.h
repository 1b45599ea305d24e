// SPDX-License-Identifier: MIT
//
// All of Oxbow. Include this, or only the headers that you use: README.md has a first program.

#pragma once

#include "oxbow/array.h"
#include "oxbow/base.h"
#include "oxbow/buffers.h"
#include "oxbow/commands.h"
#include "oxbow/components.h"
#include "oxbow/containers.h"
#include "oxbow/entities.h"
#include "oxbow/entity_jobs.h"
#include "oxbow/explain.h"
#include "oxbow/fields.h"
#include "oxbow/jobs.h"
#include "oxbow/list.h"
#include "oxbow/map.h"
#include "oxbow/memory.h"
#include "oxbow/queries.h"
#include "oxbow/random.h"
#include "oxbow/report.h"
#include "oxbow/safety.h"
#include "oxbow/struct.h"
#include "oxbow/syncs.h"
#include "oxbow/systems.h"
#include "oxbow/trace.h"
#include "oxbow/vector.h"
#include "oxbow/world.h"
