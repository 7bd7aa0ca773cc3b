import Confinement
import Foundation
import Logging

extension ExtensionSupervisor {
    /// Stores the degree of an extension's confinement for its status, and logs once what this system doesn't support.
    func noteConfinement(_ report: ConfinementReport?, of identifier: String, generation: Int) {
        guard let report, entries[identifier]?.lifecycle.generation == generation else { return }
        entries[identifier]?.confinement = report.parts.map(\.rawValue)
        // Root's processes are not limited in number; that is no lack of the system.
        let missing = report.missing.filter { $0 != .processes || getuid() != 0 }
        guard !saidWhatIsNotConfined, !missing.isEmpty else { return }
        saidWhatIsNotConfined = true
        logger.warning(
            "this system confines extensions only in part: not \(missing.map(\.rawValue).joined(separator: ", "))")
    }
}
