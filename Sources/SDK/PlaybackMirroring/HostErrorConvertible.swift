import Foundation
import HostInterface

/// An error that knows how it reads on the link: a stable code and a sentence.
package protocol HostErrorConvertible: Error {
    var asHostError: HostError { get }
}

extension HostError: HostErrorConvertible {
    package var asHostError: HostError { self }

    /// Keeps the code of an error that has one; any other error becomes `fallback` with the error's own description.
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

/// A playback error that came over the link, as a reader of `error` sees it.
package struct MirroredPlaybackError: LocalizedError, HostErrorConvertible, Hashable {
    package let asHostError: HostError

    package init(_ error: HostError) { asHostError = error }

    package var errorDescription: String? { asHostError.message }
    package var recoverySuggestion: String? { asHostError.remedy }
}
