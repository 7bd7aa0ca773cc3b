import CProcess
import Glibc

/// Applies a policy to this process permanently; programs that it starts or executes inherit it.
///
/// Call it in a single-threaded process that is about to execute a program. No part of it can be undone.
package enum Confinement {
    /// The operation that the system refused, as a clause without a full stop.
    package struct Failure: Error, Sendable, Hashable {
        package let reason: String

        init(_ what: String, code: Int32) {
            reason = "\(what): \(String(cString: strerror(code)))"
        }
    }

    /// Applies the policy. Features the kernel lacks are left out and noted in the report; features it has but refuses
    /// are a failure.
    package static func apply(_ policy: ConfinementPolicy) throws(Failure) -> ConfinementReport {
        #if SANITIZED
            let policy = policy.sanitized()
        #endif
        umask(0o077)
        preferForOutOfMemory()
        try limit(confinement_core_size, to: 0, "the size of core dumps")
        try limit(confinement_descriptors, to: policy.limits.descriptors, "the number of descriptors")
        try limit(confinement_file_size, to: policy.limits.fileSize, "the size of files")
        try limit(confinement_memory, to: policy.limits.memory, "the memory")
        let countsProcesses = try countProcessesApart(policy.limits.processes)
        let hidesFiles = policy.hidesFiles && PrivateView.enter(policy.places)
        guard confinement_drop_capabilities() == 0 else { throw Failure("giving up capabilities", code: errno) }
        guard confinement_no_new_privileges() == 0 else { throw Failure("giving up new privileges", code: errno) }
        let landlock = policy.usesLandlock ? try Landlock.enforce(policy) : 0
        try endWithParent(policy.parent)
        // The filter comes last because it refuses calls that the earlier steps need.
        let filtersCalls = try installFilter(policy)
        return ConfinementReport(
            landlock: landlock, filtersCalls: filtersCalls, countsProcesses: countsProcesses, hidesFiles: hidesFiles)
    }

    private static func limit(_ resource: Int32, to value: UInt64, _ what: String) throws(Failure) {
        guard confinement_limit(resource, rlim_t(value)) == 0 else { throw Failure("limiting \(what)", code: errno) }
    }

    /// The kernel counts processes by user and user namespace, so the limit is for this program alone only in a
    /// namespace of its own. Root is never limited.
    private static func countProcessesApart(_ limit: UInt64) throws(Failure) -> Bool {
        guard getuid() != 0, confinement_can_enter_user_namespace() != 0 else { return false }
        guard confinement_enter_user_namespace() == 0 else { throw Failure("a user namespace", code: errno) }
        try Self.limit(confinement_processes, to: limit, "the number of processes")
        return true
    }

    private static func endWithParent(_ parent: pid_t) throws(Failure) {
        guard confinement_end_with_parent() == 0 else { throw Failure("the parent-death signal", code: errno) }
        // The parent may have died before the line above; then there is no process left to report to.
        if getppid() != parent { _exit(0) }
    }

    /// The system ends this rather than anything of the person's when it is short of memory.
    private static func preferForOutOfMemory() {
        _ = confinement_write("/proc/self/oom_score_adj", "500")
    }

    private static func installFilter(_ policy: ConfinementPolicy) throws(Failure) -> Bool {
        guard var program = SystemCallFilter.instructions(for: policy, process: getpid()) else { return false }
        let count = UInt16(program.count)
        guard confinement_install_filter(&program, count) != 0 else { return true }
        // Kernels built without filters.
        if errno == ENOSYS || errno == EINVAL { return false }
        throw Failure("filtering system calls", code: errno)
    }
}
