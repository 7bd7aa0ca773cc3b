import CProcess
import Glibc

/// The kernel's own sandbox: files, ports to listen on, signals.
enum Landlock {
    /// - Returns: The version that was enforced; 0 if the kernel has none, or it is switched off.
    static func enforce(_ policy: ConfinementPolicy) throws(Confinement.Failure) -> Int {
        let version = max(0, Int(confinement_landlock_version()))
        guard version > 0 else { return 0 }
        let known = LandlockAccess.known(to: version)
        let scope = LandlockScope(version: version)
        let rules = confinement_landlock_make(known.rawValue, scope.network, scope.scopes, scope.size)
        guard rules >= 0 else { throw Confinement.Failure("making Landlock rules", code: errno) }
        defer { close(rules) }
        for place in policy.places { try allow(place, known: known, in: rules) }
        if scope.network != 0 {
            // Port 0 stands for those the system chooses.
            for port in policy.ports + (policy.takesConnections ? [0] : []) {
                guard confinement_landlock_allow_port(rules, port, scope.network) == 0 else {
                    throw Confinement.Failure("allowing port \(port)", code: errno)
                }
            }
        }
        guard confinement_landlock_enforce(rules) == 0 else {
            throw Confinement.Failure("enforcing Landlock rules", code: errno)
        }
        return version
    }

    private static func allow(
        _ place: ConfinementPolicy.Place, known: LandlockAccess, in rules: Int32
    ) throws(Confinement.Failure) {
        let descriptor = confinement_open_path(place.path)
        // A place that is not there, or that is out of reach anyhow, needs no rule.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        var access = LandlockAccess(place.access).intersection(known)
        if status.st_mode & S_IFMT != S_IFDIR { access.formIntersection(.ofFiles) }
        guard confinement_landlock_allow_path(rules, descriptor, access.rawValue) == 0 else {
            throw Confinement.Failure("allowing \(place.path)", code: errno)
        }
    }
}
