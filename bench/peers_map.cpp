// SPDX-License-Identifier: MIT
//
// The rows of maps on std::unordered_map, and on absl::flat_hash_map where it is installed.

#include "map_work.h"

#ifdef BENCH_HAS_ABSL
#include <absl/container/flat_hash_map.h>
#endif

#include <memory>
#include <unordered_map>

namespace {

template <class Map> struct peer {
    static inline std::unique_ptr<Map> map;

    static void create() {
        map = std::make_unique<Map>();
    }

    static void insert(const bench_map_keys *keys) {
        Map &m = *map;
        for (uint64_t k = 0; k < keys->n; k++) {
            m.try_emplace(keys->keys[k], k);
        }
    }

    static uint64_t find(const uint64_t *keys, uint64_t n) {
        Map &m = *map;
        uint64_t sum = 0;
        for (uint64_t k = 0; k < n; k++) {
            auto found = m.find(keys[k]);
            sum += found != m.end() ? found->second : 0;
        }
        return sum;
    }

    static uint64_t iterate() {
        uint64_t sum = 0;
        for (const auto &pair : *map) {
            sum += pair.second;
        }
        return sum;
    }

    static uint64_t erase(const uint64_t *keys, uint64_t n) {
        Map &m = *map;
        uint64_t count = 0;
        for (uint64_t k = 0; k < n; k++) {
            count += m.erase(keys[k]);
        }
        return count;
    }

    static void destroy() {
        map.reset();
    }
};

using std_peer = peer<std::unordered_map<uint64_t, uint64_t>>;

} // namespace

const bench_map_peer bench_map_std = {
    "std",           std_peer::create,  std_peer::insert, std_peer::find, std_peer::iterate,
    std_peer::erase, std_peer::destroy,
};

#ifdef BENCH_HAS_ABSL
namespace {
using absl_peer = peer<absl::flat_hash_map<uint64_t, uint64_t>>;
}

const bench_map_peer bench_map_absl = {
    "absl",           absl_peer::create,  absl_peer::insert, absl_peer::find, absl_peer::iterate,
    absl_peer::erase, absl_peer::destroy,
};
#endif
