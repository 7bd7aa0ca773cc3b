#pragma once

// How often Dispatch looks whether threads of its pool are blocked, in the programs that this is linked into: nanoseconds.
enum { dispatch_pacing_interval = 30000000000ll };
