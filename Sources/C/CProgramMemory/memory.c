#define _GNU_SOURCE
#include "CProgramMemory.h"
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// Segments that can be written hold pages that exist nowhere else, also those that became read-only after relocation.
static int release(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    const uintptr_t page = *(const uintptr_t *)context;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
        // Only whole pages of the segment: the next one may begin in its last page.
        const uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
        const uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
        // Refused for the kernel's own object, which isn't a file.
        if (start < end) (void)madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

// Relocations of code would be lost.
static int changes_code(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        if (object->dlpi_phdr[index].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[index].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL) != 0)) {
                return 1;
            }
        }
    }
    return 0;
}

void program_memory_release(void) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (dl_iterate_phdr(changes_code, NULL) == 0) dl_iterate_phdr(release, &page);
}
