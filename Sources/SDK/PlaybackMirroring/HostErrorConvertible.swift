import Foundation
public import HostInterface

/// An error that can cross the link, as a stable code and a sentence.
package protocol HostErrorConvertible: Error {
    var asHostError: HostError { get }
}

extension HostError: HostErrorConvertible {
    package var asHostError: HostError { self }

    /// Creates an error from any other: with its own code if it has one, otherwise with `fallback` and its description.
    package init(describing error: any Error, otherwise fallback: Code) {
        if let convertible = error as? any HostErrorConvertible {
            self = convertible.asHostError
        } else if let described = error as? any LocalizedError, let sentence = described.errorDescription {
            self.init(fallback, sentence)
        } else {
            self.init(fallback, String(describing: error))
        }
    }
}

/// A playback error from the link, for readers of `error`.
package struct MirroredPlaybackError: LocalizedError, HostErrorConvertible, Hashable {
    package let asHostError: HostError

    package init(_ error: HostError) { asHostError = error }

    package var errorDescription: String? { asHostError.message }
    package var recoverySuggestion: String? { asHostError.remedy }
}
