#include "CDeferredLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

static _Thread_local char reason[256];

static bool look_up(const struct mdhost_deferred_library *library, void *handle) {
        size_t index;
        for (index = 0; index < library->count; index++) {
                const struct mdhost_deferred_function *function = &library->functions[index];
                if ((*function->address = dlsym(handle, function->name))) continue;
                snprintf(reason, sizeof(reason), "%s: no function %s", library->file, function->name);
                return false;
        }
        return true;
}

static bool load(const struct mdhost_deferred_library *library) {
        void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
        if (!handle) {
                snprintf(reason, sizeof(reason), "%s", dlerror());
                return false;
        }
        if (look_up(library, handle)) return true;
        dlclose(handle);
        return false;
}

const char *mdhost_deferred_library_load(struct mdhost_deferred_library *library) {
        bool is_loaded;
        pthread_mutex_lock(&library->lock);
        if (!library->is_loaded) library->is_loaded = load(library);
        is_loaded = library->is_loaded;
        pthread_mutex_unlock(&library->lock);
        return is_loaded ? NULL : reason;
}
