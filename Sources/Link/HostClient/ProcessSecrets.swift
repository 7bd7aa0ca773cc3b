import CProcess

/// Keeps what this process has in memory, such as passwords and keys, from lying around on the disk.
package enum ProcessSecrets {
    /// Switches off core dumps, and lets no other program of this user read the memory of this process.
    ///
    /// Programs that it starts inherit that they dump no core, and can be looked into again.
    package static func protect() {
        process_set_undumpable()
        process_limit_core()
    }
}
