import CPulseAudio
import SoundFeed

/// One connection to a server that speaks PulseAudio's protocol; used on the loop alone.
///
/// Source: PulseAudio 16.1, `pulse/context.h`, `pulse/introspect.h`.
final class PulseContext {
    static let closed = SoundServerError("The connection to PulseAudio is closed")

    let pointer: OpaquePointer
    /// The server is gone. Not called for ``disconnect()``.
    var onEnd: () -> Void = {}
    /// A sink came, went or is another one now: its index. Only after ``followSinks()``.
    var onSink: (UInt32) -> Void = { _ in }
    private(set) var isOpen = false
    private var isReleased = false
    private var opening: CheckedContinuation<Void, Never>?

    init(_ interface: UnsafeMutablePointer<pa_mainloop_api>) throws(SoundServerError) {
        guard let pointer = pa_context_new(interface, "mdhost") else { throw Self.closed }
        self.pointer = pointer
        let this = Unmanaged.passUnretained(self).toOpaque()
        pa_context_set_state_callback(pointer, { _, this in PulseContext.from(this)?.stateChanged() }, this)
        pa_context_set_subscribe_callback(
            pointer, { _, _, index, this in PulseContext.from(this)?.onSink(index) }, this)
    }

    deinit { disconnect() }

    /// Connects; doesn't start a server.
    ///
    /// - Parameter path: The server's socket; `nil` for the server that programs of this user find.
    /// - Throws: ``SoundServerError`` if no server answers.
    func connect(_ path: String?, isolation: isolated (any Actor)? = #isolation) async throws(SoundServerError) {
        guard path != nil || PulseServerPlaces().maySomeServerRun else {
            throw SoundServerError("PulseAudio does not answer: no server runs for this user")
        }
        if pa_context_connect(pointer, path.map { "unix:" + $0 }, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0, isConnecting {
            await withCheckedContinuation { opening = $0 }
        }
        guard !isReleased, pa_context_get_state(pointer) == PA_CONTEXT_READY else {
            throw SoundServerError("PulseAudio does not answer: \(reason)")
        }
        isOpen = true
    }

    func followSinks(isolation: isolated (any Actor)? = #isolation) async throws(SoundServerError) {
        try await ask { pa_context_subscribe($0, PA_SUBSCRIPTION_MASK_SINK, PulseRequest.takeSuccess, $1) }
    }

    /// Subscribes to events; they also report a change of the default sink.
    func followDefaultSink(isolation: isolated (any Actor)? = #isolation) async throws(SoundServerError) {
        let events = pa_subscription_mask_t(
            rawValue: PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SERVER.rawValue)
        try await ask { pa_context_subscribe($0, events, PulseRequest.takeSuccess, $1) }
    }

    /// Subscribes to events; they report streams, sinks and the default sink.
    func followStreams(isolation: isolated (any Actor)? = #isolation) async throws(SoundServerError) {
        let events = pa_subscription_mask_t(
            rawValue: PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
                | PA_SUBSCRIPTION_MASK_SERVER.rawValue)
        try await ask { pa_context_subscribe($0, events, PulseRequest.takeSuccess, $1) }
    }

    /// - Returns: The request with its result.
    @discardableResult
    func ask(
        isolation: isolated (any Actor)? = #isolation,
        _ begin: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
    ) async throws(SoundServerError) -> PulseRequest {
        guard isOpen else { throw Self.closed }
        let request = PulseRequest()
        guard let operation = begin(pointer, request.pointer) else {
            throw SoundServerError("PulseAudio cannot be asked: \(reason)")
        }
        await request.end(of: operation)
        guard isOpen else { throw Self.closed }
        guard !request.hasFailed else { throw SoundServerError("PulseAudio says: \(reason)") }
        return request
    }

    func disconnect() {
        isOpen = false
        guard !isReleased else { return }
        isReleased = true
        pa_context_set_state_callback(pointer, nil, nil)
        pa_context_set_subscribe_callback(pointer, nil, nil)
        pa_context_disconnect(pointer)
        opening?.resume()
        opening = nil
        pa_context_unref(pointer)
    }

    /// The library's text for the last error.
    var reason: String { isReleased ? "it was closed" : String(cString: pa_strerror(pa_context_errno(pointer))) }

    private var isConnecting: Bool {
        let state = pa_context_get_state(pointer)
        return PA_CONTEXT_IS_GOOD(state) != 0 && state != PA_CONTEXT_READY
    }

    private func stateChanged() {
        guard !isConnecting else { return }
        opening?.resume()
        opening = nil
        guard pa_context_get_state(pointer) != PA_CONTEXT_READY else { return }
        let wasOpen = isOpen
        isOpen = false
        if wasOpen { onEnd() }
    }

    private static func from(_ this: UnsafeMutableRawPointer?) -> PulseContext? {
        this.map { Unmanaged<PulseContext>.fromOpaque($0).takeUnretainedValue() }
    }
}
