import Confinement
import Foundation
import HostConfinement

extension ConfinementPolicy {
    /// Creates the policy for a program of this project that works for the daemon: what servers, names and certificates need, and
    /// no folder of its own.
    ///
    /// - Parameter path: The program.
    static func helper(_ path: String) -> ConfinementPolicy {
        var policy = ConfinementPolicy(parent: getpid())
        policy.places = system.filter { $0.access != .write } + [.init(path, .run)]
        policy.places += ProgramLibraries.find(of: path).map { .init($0, .run) }
        policy.places += [ProgramLibraries.ownRuntimeFolder].compactMap { $0 }.map { .init($0, .run) }
        policy.limits.descriptors = 64
        policy.limits.fileSize = 0
        policy.limits.memory = 1 << 30
        policy.limits.processes = 64
        return policy
    }
}
