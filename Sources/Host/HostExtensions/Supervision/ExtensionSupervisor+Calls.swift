import HostCore
package import HostInterface
package import LinkProtocol

extension ExtensionSupervisor {
    /// Sends a call to the extension, and waits for one that is starting.
    ///
    /// - Throws: ``HostError``: the extension's own, `timed-out`, `extension-crashed`, or `extension-unusable`.
    package func perform(_ call: ExtensionCall, on identifier: String) async throws {
        try await process(of: identifier).perform(call)
    }

    /// Returns the level (`0.0...1.0`) and whether the device is muted, as known to the extension.
    package func volume(of device: String, on identifier: String) async throws -> (level: Double, isMuted: Bool) {
        try await process(of: identifier).volume(of: device)
    }

    package func perform(_ call: RemoteSessionCall, on identifier: String) async throws -> String {
        try await process(of: identifier).perform(call)
    }

    package func ask(
        _ call: MediaHandlerCall, at place: String, on identifier: String
    ) async throws -> MediaHandlerAnswer {
        try await process(of: identifier).ask(call, at: place)
    }

    private func process(of identifier: String) async throws(HostError) -> ExtensionProcess {
        guard let entry = entries[identifier] else { throw Self.unknown(identifier) }
        switch entry.lifecycle.state {
        case .running:
            if let process = entry.process { return process }
        case .starting:
            let result = await withCheckedContinuation { continuation in
                entries[identifier]?.waiters.append(continuation)
            }
            return try result.get()
        case .crashed, .quarantined, .loadFailed:
            if let error = entry.lastError { throw error }
        case .disabled:
            throw HostError(.extensionDisabled, "The extension \(entry.manifest.displayName) is switched off.")
        case .idle, .stopping: break
        }
        throw HostError(.extensionCrashed, "\(entry.manifest.displayName) is not running.")
    }
}
