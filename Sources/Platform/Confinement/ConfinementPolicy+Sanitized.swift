#if SANITIZED
    import CProcess
    import Glibc

    /// Permissions for the runtime of a sanitizer; only in the builds of `scripts/sanitize`.
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
