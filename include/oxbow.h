// SPDX-License-Identifier: MIT
//
// All of Oxbow. Include this, or only the headers of the nouns that you use.

#pragma once

#include "oxbow/base.h"
#include "oxbow/jobs.h"
#include "oxbow/memory.h"
#include "oxbow/report.h"
#include "oxbow/struct.h"
#include "oxbow/trace.h"
#include "oxbow/vector.h"
