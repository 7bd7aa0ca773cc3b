import Foundation
import PlaybackKit

/// The devices that the host's Bluetooth knows.
@MainActor
final class BluetoothDirectory {
    /// The time limit for the discovery of a device to use.
    private static let patience = Duration.seconds(20)
    /// The time after which a device that isn't discovered again is gone. A discovery takes 30 s.
    private static let confirmation = Duration.seconds(40)

    private let setCredential: @MainActor (Data?, MediaOutputDevice) -> Void
    private var devices: [MediaOutputDevice.ID: BluetoothSightings] = [:]
    /// The devices of an earlier discovery, which may have gone since.
    private var unconfirmed: [MediaOutputDevice.ID: BluetoothAudioDevice] = [:]
    private var obstacle: BluetoothAudioError?
    private var sink: AsyncStream<DeviceChange>.Continuation?
    private var listeners: [UUID: AsyncStream<Void>.Continuation] = [:]

    /// - Parameter setCredential: A function that stores or removes a device's secret: it may have been paired, or
    ///   forgotten, in the settings of the desktop.
    init(setCredential: @escaping @MainActor (Data?, MediaOutputDevice) -> Void) {
        self.setCredential = setCredential
    }

    /// Follows the devices until the iteration of the stream is cancelled.
    func changes() -> AsyncStream<DeviceChange> {
        unconfirmed.merge(devices.compactMapValues(\.best)) { $1 }
        devices = [:]
        obstacle = nil
        let (changes, sink) = AsyncStream.makeStream(of: DeviceChange.self)
        self.sink = sink
        let following = Task { for await event in BluetoothAudio.devices() { apply(event) } }
        let confirming = Task {
            guard (try? await Task.sleep(for: Self.confirmation)) != nil, obstacle == nil else { return }
            unconfirmed.values.forEach(withdraw)
            unconfirmed = [:]
        }
        sink.onTermination = { _ in
            following.cancel()
            confirming.cancel()
        }
        return changes
    }

    func known(_ id: MediaOutputDevice.ID) -> BluetoothAudioDevice? { devices[id]?.best }

    /// Returns a stream with an element now and after each change of a device.
    func news() -> AsyncStream<Void> {
        let (news, sink) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let key = UUID()
        listeners[key] = sink
        sink.onTermination = { [weak self] _ in Task { @MainActor in self?.listeners[key] = nil } }
        sink.yield()
        return news
    }

    /// Returns a device as soon as it is known.
    ///
    /// - Throws: ``BluetoothAudioError`` that says why no device can be used, or `unreachable`.
    func device(_ id: MediaOutputDevice.ID) async throws(BluetoothAudioError) -> BluetoothAudioDevice {
        let end = ContinuousClock.now + Self.patience
        let alarm = Task { [weak self] in
            try? await Task.sleep(until: end)
            self?.tell()
        }
        defer { alarm.cancel() }
        for await _ in news() {
            if let obstacle { throw obstacle }
            if let device = known(id) { return device }
            if ContinuousClock.now >= end { break }
        }
        throw BluetoothAudioError(
            code: "unreachable", message: "The device can't be found.",
            remedy: "Switch it on and bring it near. If it was never paired, put it into pairing mode.")
    }

    // MARK: Following

    private func apply(_ event: BluetoothAudio.Event) {
        switch event {
        case .ready: obstacle = nil
        case .waiting(let error): obstacle = error
        case .lost(let id):
            guard let identifier = devices.first(where: { $0.value.contains(id) })?.key else { return }
            change(identifier) { $0.remove(id) }
        case .found(let device): change(device.outputIdentifier) { $0.set(device) }
        }
        tell()
    }

    private func change(_ identifier: MediaOutputDevice.ID, _ body: (inout BluetoothSightings) -> Void) {
        let current = known(identifier)
        body(&devices[identifier, default: BluetoothSightings()])
        guard let device = known(identifier) else {
            devices[identifier] = nil
            return current.map(withdraw) ?? ()
        }
        let before = unconfirmed.removeValue(forKey: identifier) ?? current
        guard device != current, let output = device.output else { return }
        // The same by the address that it was first heard with before bluetoothd was started anew.
        for (id, old) in unconfirmed where id != identifier && old.address == device.address {
            unconfirmed[id] = nil
            withdraw(old)
        }
        sink?.yield(.found(output))
        if device.isPaired != before?.isPaired || device.bond != before?.bond {
            setCredential(device.isPaired ? device.bond : nil, output)
        }
    }

    private func withdraw(_ device: BluetoothAudioDevice) {
        if let output = device.output { sink?.yield(.lost(output)) }
    }

    private func tell() { for listener in listeners.values { listener.yield() } }
}
