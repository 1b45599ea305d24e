// SPDX-License-Identifier: MIT
//
// Reducing: sums of blocks, joined in the order of the blocks.
//
// Every way of running gives the same calls in the same order for each sum: a block's sum starts as
// the identity and folds the block in; the result starts as the identity and joins the blocks from
// the first to the last.
//
// The jobs of one reduction share a block of OX_TEMP_JOB memory: reduce_work, then the identity,
// then one sum for each block. Its last job frees it.

#include "oxbow/array.h"

#include "containers/order.h"
#include "containers/reduce_items.h"

typedef struct reduce_work {
    ox_reduce_def def;
    size_t sum_size;
    size_t size;  // of the whole memory
    size_t align; // of it, and of all sums
    char *identity;
    char *sums;
    ox_site site;
} reduce_work;

static int block_count_of(const ox_reduce_def *def) {
    return (int)(((int64_t)def->input.count + def->block - 1) / def->block);
}

static void fold_block(const ox_reduce_def *def, int block, void *sum) {
    size_t size = oxi_element_size(def->input.element);
    int64_t first = (int64_t)block * def->block, left = def->input.count - first;
    int count = left < def->block ? (int)left : def->block;
    def->fold(sum, (const char *)def->input.data + (size_t)first * size, count, def->context);
}

static void copy_identity(const ox_reduce_def *def, void *sum, size_t size) {
    if (def->identity == NULL) {
        memset(sum, 0, size);
    } else {
        memcpy(sum, def->identity, size);
    }
}

// Checks what has nothing to do with who may use the arrays, and fills in the default.
static bool resolve_reduce_def(const ox_reduce_def *def, ox_reduce_def *resolved, ox_site site) {
    if (!OXI_REQUIRE_ARGUMENT(def, "ox_reduce", site) ||
        !OXI_REQUIRE_DEF(def, ox_reduce_def, site) ||
        !OXI_REQUIRE_ARGUMENT(def->fold, "ox_reduce", site) ||
        !OXI_REQUIRE_ARGUMENT(def->join, "ox_reduce", site) ||
        !oxi_length_require(def->block, 1, "block of a reduction", site)) {
        return false;
    }
    *resolved = *def;
    resolved->block = def->block == 0 ? OXI_REDUCE_BLOCK : def->block;
    return true;
}

bool ox_reduce_at(const ox_reduce_def *def, ox_site site) {
    ox_reduce_def resolved;
    if (!resolve_reduce_def(def, &resolved, site) ||
        !oxi_array_may_read_at(def->input, def->input.element, 0, def->input.count, site) ||
        !oxi_array_may_write_at(def->output, def->output.element, 0, 1, site)) {
        return false;
    }
    size_t size = oxi_element_size(def->output.element), align = oxi_align_for(size);
    char *sum = ox_memory_alloc_at(OX_TEMP_JOB, size * 2, align, site), *part = sum + size;
    if (sum == NULL) {
        return false;
    }
    copy_identity(def, sum, size);
    for (int k = 0; k < block_count_of(&resolved); k++) {
        copy_identity(def, part, size);
        fold_block(&resolved, k, part);
        def->join(sum, part, def->context);
    }
    memcpy(def->output.data, sum, size);
    ox_memory_free_at(OX_TEMP_JOB, sum, size * 2, align, site);
    return true;
}

// A parallel job may read where it wants: its batch is one of blocks, not of elements.
OX_PARALLEL_JOB(ReduceBlocks, {
    OX_READ_ONLY ox_array input;
    OX_NO_SAFETY reduce_work *work;
}) {
    char *sum = job->work->sums + (size_t)i * job->work->sum_size;
    memcpy(sum, job->work->identity, job->work->sum_size);
    fold_block(&job->work->def, i, sum);
}

static void free_reduce_work(reduce_work *work) {
    ox_memory_free_at(OX_TEMP_JOB, work, work->size, work->align, work->site);
}

OX_JOB(ReduceJoin, {
    ox_array output;
    OX_NO_SAFETY reduce_work *work;
}) {
    reduce_work *work = job->work;
    const ox_reduce_def *def = &work->def;
    for (int k = 0; k < block_count_of(def); k++) {
        def->join(work->identity, work->sums + (size_t)k * work->sum_size, def->context);
    }
    memcpy(job->output.data, work->identity, work->sum_size);
    free_reduce_work(work);
}

static reduce_work *create_reduce_work(const ox_reduce_def *def, ox_site site) {
    size_t sum_size = oxi_element_size(def->output.element), sum_align = oxi_align_for(sum_size);
    size_t align = sum_align > _Alignof(reduce_work) ? sum_align : _Alignof(reduce_work);
    size_t begin = (sizeof(reduce_work) + align - 1) / align * align;
    size_t size = begin + sum_size * ((size_t)block_count_of(def) + 1);
    reduce_work *work = ox_memory_alloc_at(OX_TEMP_JOB, size, align, site);
    if (work == NULL) {
        return NULL;
    }
    char *identity = (char *)work + begin;
    *work = (reduce_work){*def, sum_size, size, align, identity, identity + sum_size, site};
    copy_identity(def, work->identity, sum_size);
    return work;
}

static bool require_reduce_arrays(const ox_reduce_def *def, ox_site site) {
    if (def->input.data == NULL && def->input.access.token == 0) {
        return oxi_unassigned("input array", site);
    }
    if (def->output.data == NULL && def->output.access.token == 0) {
        return oxi_unassigned("output array", site);
    }
    return def->output.count > 0 ||
           oxi_out_of_bounds(0, def->output.count, def->output.access, "array", site);
}

// The job that reads the input; `after` itself when there is nothing to read.
static ox_job schedule_blocks(reduce_work *work, ox_job after, ox_site site) {
    ReduceBlocks blocks = {work->def.input, work};
    return ox_schedule_for_at(ox_job_type_of(ReduceBlocks), block_count_of(&work->def), 1, after,
                              &blocks, site);
}

ox_job ox_reduce_after_at(const ox_reduce_def *def, ox_job after, ox_site site) {
    ox_reduce_def resolved;
    reduce_work *work = NULL;
    if (!resolve_reduce_def(def, &resolved, site) || !require_reduce_arrays(def, site) ||
        (work = create_reduce_work(&resolved, site)) == NULL) {
        return OX_NO_JOB;
    }

    ox_job folded = schedule_blocks(work, after, site);
    ReduceJoin join = {def->output, work};
    ox_job joined = {0};
    if (folded.value != 0 || def->input.count == 0) {
        joined = ox_schedule_at(ox_job_type_of(ReduceJoin), folded, &join, site);
    }
    if (joined.value != 0) {
        return joined;
    }
    if (folded.value != 0 && def->input.count > 0) {
        ox_complete_at(&folded, 1, site); // it uses the work, which is freed here
    }
    free_reduce_work(work);
    return OX_NO_JOB;
}
