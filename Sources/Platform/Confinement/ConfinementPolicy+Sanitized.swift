#if SANITIZED
    import CProcess
    import Glibc

    /// Only in the builds of `scripts/sanitize`: what the runtime of a sanitizer needs, and no program else.
    extension ConfinementPolicy {
        /// Without a limit of memory, as its shadow of the address space counts as the program's own, and with access to
        /// the folder of its reports. Its thread in this process is ended, as only one without threads can be confined.
        func sanitized() -> Self {
            __sanitizer_sandbox_on_notify(nil)
            var policy = self
            policy.limits.memory = UInt64.max
            policy.places.append(Place(String(cString: sanitizer_reports), .write))
            return policy
        }
    }
#endif
