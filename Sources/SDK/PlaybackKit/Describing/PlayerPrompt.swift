import MediaDevice

/// The questions of a device to the person who activates it, for ``PlayerProtocol/open(_:secret:prompt:)``.
@MainActor
public final class PlayerPrompt {
    private let display: @MainActor (SecretRequest) -> Void
    private var waiting: (number: Int, answer: CheckedContinuation<String?, Never>)?
    private var questions = 0
    /// A Boolean value that indicates whether a request was shown.
    private(set) var isShown = false

    init(_ display: @escaping @MainActor (SecretRequest) -> Void) { self.display = display }

    /// Shows a request and waits for the answer. An earlier question becomes void.
    ///
    /// - Returns: The text, empty for a confirmation; `nil` if the person cancelled, if a later question or
    ///   ``withdraw()`` made this one void, and if the task was cancelled.
    public func ask(_ request: SecretRequest) async -> String? {
        show(request)
        questions += 1
        let number = questions
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer(nil)
                waiting = (number, continuation)
                if Task.isCancelled { answer(nil) }
            }
        } onCancel: {
            Task { @MainActor in if self.waiting?.number == number { self.answer(nil) } }
        }
    }

    /// Makes the current question void, because the device no longer waits for the answer: ``ask(_:)`` returns `nil`.
    public func withdraw() { answer(nil) }

    /// Shows a request that needs no answer, such as digits to type on the device. If the person cancels, the task of
    /// the activation is cancelled.
    public func show(_ request: SecretRequest) {
        isShown = true
        display(request)
    }

    /// Passes the person's answer to the current question.
    ///
    /// - Returns: `false` if there is no question.
    @discardableResult
    func answer(_ text: String?) -> Bool {
        guard let waiting else { return false }
        self.waiting = nil
        waiting.answer.resume(returning: text)
        return true
    }
}
