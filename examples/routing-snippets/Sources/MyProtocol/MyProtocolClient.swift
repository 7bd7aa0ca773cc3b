import Foundation

/// The device's status, which it reports on every change.
public struct DeviceStatus: Sendable, Hashable {
    public var title = ""
    public var isPlaying = false
    public var isBuffering = false
    /// Seconds.
    public var position = 0.0
    /// Seconds; 0 without media.
    public var duration = 0.0
    /// `0.0...1.0`.
    public var volume: Float = 0.5
    public var isMuted = false

    public init() {}
}

/// The reason for a refusal.
public enum DeviceFailure: Error, Hashable, Sendable {
    case wrongCode
    case notConnected
    /// The device does not play this address.
    case cannotPlay(URL)
}

/// The client of a device maker's own protocol: here, of a device that lives in this process.
///
/// An extension of your own has its network code in this place. The device knows one code, plays every `http` and
/// `https` address for 120 seconds and sends messages back as they came.
public actor MyProtocolClient {
    /// Each status, from the first connection on.
    public nonisolated let statuses: AsyncStream<DeviceStatus>
    /// Messages of the application on the device.
    public nonisolated let messages: AsyncStream<Data>

    private let code: String?
    private let report: AsyncStream<DeviceStatus>.Continuation
    private let deliver: AsyncStream<Data>.Continuation
    private var isConnected = false
    private var status = DeviceStatus()

    /// - Parameter code: The code on the device's screen; `nil` if it requires none.
    public init(code: String? = nil) {
        self.code = code
        (statuses, report) = AsyncStream.makeStream(of: DeviceStatus.self, bufferingPolicy: .unbounded)
        (messages, deliver) = AsyncStream.makeStream(of: Data.self, bufferingPolicy: .unbounded)
    }

    public func connect(code entered: String? = nil) throws(DeviceFailure) {
        guard code == nil || entered == code else { throw .wrongCode }
        isConnected = true
        report.yield(status)
    }

    public func disconnect() {
        isConnected = false
        report.finish()
        deliver.finish()
    }

    public func load(_ url: URL) throws(DeviceFailure) {
        guard isConnected else { throw .notConnected }
        guard url.scheme == "http" || url.scheme == "https" else { throw .cannotPlay(url) }
        change {
            $0.title = url.lastPathComponent
            $0.duration = 120
            $0.position = 0
            $0.isPlaying = true
        }
    }

    public func setPlaying(_ isPlaying: Bool) { change { $0.isPlaying = isPlaying } }

    public func seek(to position: Double) { change { $0.position = min($0.duration, max(0, position)) } }

    public func setVolume(_ volume: Float) { change { $0.volume = min(1, max(0, volume)) } }

    public func setMuted(_ isMuted: Bool) { change { $0.isMuted = isMuted } }

    public func send(_ message: Data) throws(DeviceFailure) {
        guard isConnected else { throw .notConnected }
        deliver.yield(message)
    }

    private func change(_ change: (inout DeviceStatus) -> Void) {
        change(&status)
        if isConnected { report.yield(status) }
    }
}
