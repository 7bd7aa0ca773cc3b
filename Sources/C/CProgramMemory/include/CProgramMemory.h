#pragma once

// Removes the pages of the program and its libraries that no process changes (code, constants, tables of the loader) from
// the memory of this process. They stay in the page cache, and come back one by one when they are used.
//
// Most of what a Swift program reads at its start, such as relocations and protocol conformances, isn't used again.
void program_memory_release(void);
