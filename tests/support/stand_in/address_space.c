// SPDX-License-Identifier: MIT
//
// An emulator may keep a note of each page that is reserved, and the library reserves 64 GiB and
// more. So the linker leads its calls of mmap here (--wrap), and large reservations are refused.
// The library takes less then, as on a system that grants no more.

#include <errno.h>
#include <sys/mman.h>
#include <sys/types.h>

// Chunks get 256 MiB of it, since they ask for a little more than a power of two.
#define MOST_RESERVED ((size_t)300 << 20)

void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (protection == PROT_NONE && size > MOST_RESERVED) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return __real_mmap(address, size, protection, flags, file, offset);
}
