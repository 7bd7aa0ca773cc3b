#pragma once

// How often Dispatch looks whether threads of its pool are blocked, in this project's programs: nanoseconds.
enum { dispatch_pacing_interval = 10000000000ll };
