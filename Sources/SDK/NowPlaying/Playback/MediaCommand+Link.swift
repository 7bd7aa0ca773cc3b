import Foundation
import HostInterface

extension MediaCommand {
    typealias Control = MediaControl

    /// Performs an action, on the main actor.
    ///
    /// - Throws: ``HostError`` `not-supported` if the command is disabled or the action doesn't fit, or the error of
    ///   the app's closure.
    @MainActor
    func perform(_ request: MediaAction) async throws {
        let refusal = HostError(.notSupported, "\(request.kind.rawValue) doesn't support this value.")
        guard control.isEnabled else { throw HostError(.notSupported, "\(request.kind.rawValue) isn't available now.") }
        switch action {
        case .plain(let action): try await action()
        case .number(let action):
            guard let number = request.number ?? control.numbers?.first, number.isFinite else { throw refusal }
            try await action(number)
        case .held(let begin, let end):
            switch request.phase {
            case .begin: try await begin()
            case .end: try await end()
            case nil: throw refusal
            }
        case .rate(let action):
            guard let number = request.number, let rate = nearestRate(to: number) else { throw refusal }
            try await action(rate)
        case .repeatMode(let action):
            guard let mode = RepeatMode(word: request.mode), supports(mode.word) else { throw refusal }
            try await action(mode)
        case .shuffleMode(let action):
            guard let mode = ShuffleMode(word: request.mode), supports(mode.word) else { throw refusal }
            try await action(mode)
        case .feedback(let action):
            guard let status = FeedbackStatus(word: request.mode) else { throw refusal }
            try await action(status)
        }
    }

    private func supports(_ mode: String) -> Bool { control.modes?.contains(mode) ?? true }

    private func nearestRate(to number: Double) -> Float? {
        guard number.isFinite else { return nil }
        return (control.numbers ?? []).min { abs($0 - number) < abs($1 - number) }.map { Float($0) }
    }
}
