#ifndef MDHOST_CSYSTEMD_SHIM_H
#define MDHOST_CSYSTEMD_SHIM_H

#include <malloc.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>

// sd_bus_vtable is a bit-field structure with an anonymous union, filled by macros that want literals: Swift can
// neither build nor copy one safely. Unused bytes must be zero (sd-bus-vtable.h), hence the memset.

/// First entry of a vtable.
static inline void mdhost_vtable_start(sd_bus_vtable *entry) {
        static const sd_bus_vtable start = SD_BUS_VTABLE_START(0);
        memcpy(entry, &start, sizeof(start));
}

static inline void mdhost_vtable_end(sd_bus_vtable *entry) {
        static const sd_bus_vtable end = SD_BUS_VTABLE_END;
        memcpy(entry, &end, sizeof(end));
}

/// `names`: argument names in order, in then out, each with its NUL, and one more NUL; or empty for none.
static inline void mdhost_vtable_method(
                sd_bus_vtable *entry, const char *member, const char *in, const char *out, const char *names,
                sd_bus_message_handler_t handler) {
        memset(entry, 0, sizeof(*entry));
        entry->type = _SD_BUS_VTABLE_METHOD;
        entry->flags = SD_BUS_VTABLE_UNPRIVILEGED;
        entry->x.method.member = member;
        entry->x.method.signature = in;
        entry->x.method.result = out;
        entry->x.method.handler = handler;
        entry->x.method.names = names;
}

static inline void mdhost_vtable_signal(
                sd_bus_vtable *entry, const char *member, const char *signature, const char *names) {
        memset(entry, 0, sizeof(*entry));
        entry->type = _SD_BUS_VTABLE_SIGNAL;
        entry->x.signal.member = member;
        entry->x.signal.signature = signature;
        entry->x.signal.names = names;
}

/// `set` is NULL for a property that clients cannot write.
static inline void mdhost_vtable_property(
                sd_bus_vtable *entry, const char *member, const char *signature, uint64_t emission,
                sd_bus_property_get_t get, sd_bus_property_set_t set) {
        memset(entry, 0, sizeof(*entry));
        entry->type = set ? _SD_BUS_VTABLE_WRITABLE_PROPERTY : _SD_BUS_VTABLE_PROPERTY;
        entry->flags = emission | (set ? SD_BUS_VTABLE_UNPRIVILEGED : 0);
        entry->x.property.member = member;
        entry->x.property.signature = signature;
        entry->x.property.get = get;
        entry->x.property.set = set;
}

static inline uint64_t mdhost_emits_change(void) { return SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE; }
static inline uint64_t mdhost_emits_invalidation(void) { return SD_BUS_VTABLE_PROPERTY_EMITS_INVALIDATION; }
static inline uint64_t mdhost_is_constant(void) { return SD_BUS_VTABLE_PROPERTY_CONST; }

#endif
