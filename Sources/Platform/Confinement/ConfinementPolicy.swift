/// The resources a confined program may reach; the kernel refuses everything else as far as it can.
///
/// A value: the process that starts the program decides on it, and ``Confinement`` applies it in the process that
/// becomes the program.
package struct ConfinementPolicy: Sendable, Hashable {
    /// A folder with its contents, or a file. A missing one is no error: it stays out of reach.
    package struct Place: Sendable, Hashable {
        package enum Access: String, Sendable, Hashable, CaseIterable {
            case read
            /// To read and to execute.
            case run
            /// To read, write, make and remove, not to execute.
            case write
        }

        package var path: String
        package var access: Access

        package init(_ path: String, _ access: Access) {
            self.path = path
            self.access = access
        }
    }

    package struct Limits: Sendable, Hashable {
        package var descriptors: UInt64 = 1024
        /// The largest file it may write, in bytes.
        package var fileSize: UInt64 = 256 << 20
        /// The limit of private memory in bytes: heap, stacks and all other private writable memory.
        package var memory: UInt64 = 2 << 30
        /// Processes and threads together, if they can be counted apart from the person's others.
        package var processes: UInt64 = 512

        package init() {}
    }

    package var places: [Place] = []
    /// TCP ports it may bind.
    package var ports: [UInt16] = []
    /// A Boolean value that indicates whether the program may listen on ports chosen by the system.
    package var takesConnections = false
    /// A Boolean value that indicates whether the program may start processes. Threads are always allowed.
    package var startsProcesses = false
    /// `false` confines as on a kernel without Landlock, for tests of the remaining protection.
    package var usesLandlock = true
    /// `false` shows files outside of ``places``, as where a program may make no namespace: for tests of what holds there.
    package var hidesFiles = true
    package var limits = Limits()
    /// The process without which it ends.
    package var parent: Int32

    package init(parent: Int32) { self.parent = parent }

    package var listens: Bool { takesConnections || !ports.isEmpty }
}
