import Foundation
import MediaDevice

/// The devices that the host's Bluetooth knows, reported as outputs.
@MainActor
final class BluetoothDirectory {
    private let host: MediaDeviceRoutingManager
    private let changed: (BluetoothAudioDevice) -> Void
    private var following: Task<Void, Never>?
    private var devices: [MediaOutputDevice.ID: BluetoothSightings] = [:]
    /// The devices of an earlier discovery, which may have gone since.
    private var unconfirmed: [MediaOutputDevice.ID: BluetoothAudioDevice] = [:]
    private var confirming: Task<Void, Never>?
    private var obstacle: BluetoothAudioError?
    private var waiters: [UUID: CheckedContinuation<Void, Never>] = [:]

    /// The time limit for the discovery of a device to use.
    private static let patience = Duration.seconds(20)
    /// The time after which a device that isn't discovered again is gone. A discovery takes 30 s.
    private static let confirmation = Duration.seconds(40)

    /// - Parameter changed: Told of every device that is new or another than before.
    init(host: MediaDeviceRoutingManager, changed: @escaping (BluetoothAudioDevice) -> Void) {
        self.host = host
        self.changed = changed
    }

    func start() {
        guard following == nil else { return }
        following = Task {
            for await event in BluetoothAudio.devices() { apply(event) }
        }
        confirming = Task {
            guard (try? await Task.sleep(for: Self.confirmation)) != nil, obstacle == nil else { return }
            unconfirmed.values.forEach(withdraw)
            unconfirmed = [:]
        }
    }

    func stop() {
        following?.cancel()
        following = nil
        confirming?.cancel()
        obstacle = nil
        unconfirmed.merge(devices.compactMapValues(\.best)) { $1 }
        devices = [:]
    }

    func known(_ id: MediaOutputDevice.ID) -> BluetoothAudioDevice? { devices[id]?.best }

    /// Returns a device as soon as it is known.
    ///
    /// - Throws: ``BluetoothAudioError`` that says why no device can be used, or `unreachable`.
    func device(_ id: MediaOutputDevice.ID) async throws(BluetoothAudioError) -> BluetoothAudioDevice {
        let limit = Task { [weak self] in
            try? await Task.sleep(for: Self.patience)
            self?.wakeAll()
        }
        defer { limit.cancel() }
        let end = ContinuousClock.now + Self.patience
        while !Task.isCancelled {
            if let obstacle { throw obstacle }
            if let device = known(id) { return device }
            guard ContinuousClock.now < end else { break }
            await news()
        }
        throw BluetoothAudioError(
            code: "unreachable", message: "The device is not to be found.",
            remedy: "Switch it on, put it into pairing mode where it was not paired before, and bring it near.")
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
        wakeAll()
    }

    private func change(_ identifier: MediaOutputDevice.ID, _ body: (inout BluetoothSightings) -> Void) {
        let current = known(identifier)
        body(&devices[identifier, default: BluetoothSightings()])
        guard let device = known(identifier) else {
            devices[identifier] = nil
            current.map(withdraw)
            return
        }
        let before = unconfirmed.removeValue(forKey: identifier) ?? current
        guard device != current, let output = device.output else { return }
        // The same by the address that it was first heard with before bluetoothd was started anew.
        for (id, old) in unconfirmed where id != identifier && old.address == device.address {
            unconfirmed[id] = nil
            withdraw(old)
        }
        host.foundDevice(output)
        if device.isPaired != before?.isPaired || device.bond != before?.bond {
            // It may have been paired, or forgotten, in the settings of the desktop.
            host.setCredential(device.isPaired ? device.bond : nil, for: output)
        }
        if device.volume != before?.volume { host.volumeChanged(for: output) }
        changed(device)
    }

    private func withdraw(_ device: BluetoothAudioDevice) {
        if let output = device.output { host.lostDevice(output) }
    }

    private func news() async {
        let key = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiters[key] = continuation
                if Task.isCancelled { waiters.removeValue(forKey: key)?.resume() }
            }
        } onCancel: {
            Task { @MainActor in self.waiters.removeValue(forKey: key)?.resume() }
        }
    }

    private func wakeAll() {
        let all = waiters.values
        waiters = [:]
        for waiter in all { waiter.resume() }
    }
}
