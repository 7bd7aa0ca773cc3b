public import Foundation
public import Logging

/// A value in a JSON file of an extension's own folder, which its next process continues with.
///
/// Without a folder the value lives as long as the process. An unreadable file counts as missing.
@MainActor
public final class StoredValue<Value: Codable & Equatable> {
    public private(set) var value: Value
    private let file: URL?
    private let log: Logger
    private var isFailureLogged = false

    /// Reads the value.
    ///
    /// - Parameters:
    ///   - initial: The value if there is no readable file.
    ///   - folder: The extension's own folder, `MediaDeviceRoutingManager.stateDirectory`; `nil` to store nothing.
    ///   - name: The name of the file.
    public init(_ initial: Value, folder: URL?, name: String, log: Logger) {
        file = folder?.appending(path: name)
        self.log = log
        let data = file.flatMap { try? Data(contentsOf: $0) }
        value = data.flatMap { try? JSONDecoder().decode(Value.self, from: $0) } ?? initial
    }

    /// Changes the value, and writes the file if it differs. A file that can't be written is logged once.
    public func store(_ value: Value) {
        guard value != self.value else { return }
        self.value = value
        guard let file else { return }
        do {
            try JSONEncoder().encode(value).write(to: file, options: .atomic)
            isFailureLogged = false
        } catch {
            if !isFailureLogged {
                log.warning(
                    "what the next process continues with can't be stored",
                    metadata: ["file": "\(file.lastPathComponent)", "reason": "\(error)"])
            }
            isFailureLogged = true
        }
    }
}
