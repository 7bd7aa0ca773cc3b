import CoreBluetooth
import Foundation
import MediaDevice
import SystemLog

private let log = Logger(subsystem: "org.example.bluetooth-lamp", category: "lamp")

/// One lamp: a service with a value of one byte, which can be read, written and subscribed to, and one for blinking.
@MainActor
final class Lamp {
    static let service = CBUUID(string: "8E7F0001-5A3C-4D2B-9C1E-6D64686F7374")
    private static let level = CBUUID(string: "8E7F0002-5A3C-4D2B-9C1E-6D64686F7374")
    private static let blink = CBUUID(string: "8E7F0004-5A3C-4D2B-9C1E-6D64686F7374")

    /// The channels for programs of the first and of the present lamps.
    private static let programs: [CBL2CAPPSM] = [0xF0, 0xF1]

    private let peripheral: CBPeripheral
    private let ready: (Lamp) -> Void
    private let changed: (Lamp) -> Void
    private var characteristic: CBCharacteristic?
    private var blinks: CBCharacteristic?
    private var owesBlinks = false
    private var program: LampProgram?
    private var untriedPrograms: [CBL2CAPPSM] = []
    private var isReady = false

    init(_ peripheral: CBPeripheral, ready: @escaping (Lamp) -> Void, changed: @escaping (Lamp) -> Void) {
        self.peripheral = peripheral
        self.ready = ready
        self.changed = changed
        peripheral.delegate = self
    }

    /// `nil` until its brightness is known.
    var device: MediaOutputDevice? {
        guard isReady, let place = URL(string: "bluetooth:\(peripheral.identifier.uuidString)") else { return nil }
        return MediaOutputDevice(
            // It may have been found by something else that it said, and have told its name since.
            id: peripheral.identifier, displayName: peripheral.name ?? "Lamp", capabilities: [],
            deviceType: .hifiSpeaker, volumeControl: .absolute, canMute: false,
            requiredNetworkEndpoints: [.url(place)])
    }

    /// 0...1.
    var brightness: Float { Float(characteristic?.value?.first ?? 0) / 255 }

    func setBrightness(_ brightness: Float) {
        guard let characteristic else { return }
        peripheral.writeValue(Data([UInt8(brightness * 255)]), for: characteristic, type: .withResponse)
    }

    /// Shows which lamp it is, by blinks and by a program, where it takes one.
    func showItself() {
        blink()
        program?.stop()
        untriedPrograms = Self.programs
        openChannel()
    }

    private func openChannel() {
        if !untriedPrograms.isEmpty { peripheral.openL2CAPChannel(untriedPrograms.removeFirst()) }
    }

    /// Blinks as often as one packet of the link takes.
    private func blink() {
        guard let blinks else { return }
        owesBlinks = !peripheral.canSendWriteWithoutResponse
        guard !owesBlinks else { return }
        let count = peripheral.maximumWriteValueLength(for: .withoutResponse)
        log.info("blinks \(count) times")
        peripheral.writeValue(Data(repeating: 1, count: count), for: blinks, type: .withoutResponse)
    }
}

extension Lamp: @MainActor CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first else { return }
        peripheral.discoverCharacteristics([Self.level, Self.blink], for: service)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        characteristic = service.characteristics?.first { $0.uuid == Self.level }
        blinks = service.characteristics?.first { $0.uuid == Self.blink }
        guard let characteristic else { return }
        peripheral.readValue(for: characteristic)
        peripheral.setNotifyValue(true, for: characteristic)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard error == nil else { return }
        if isReady { return changed(self) }
        isReady = true
        ready(self)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        // Read back the value that the lamp has set.
        peripheral.readValue(for: characteristic)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        if owesBlinks { blink() }
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else {
            log.info("no channel: \(error.map { "\($0.localizedDescription)" } ?? "", privacy: .public)")
            return openChannel()
        }
        log.info("channel \(channel.psm) is open")
        let program = LampProgram(Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) }), over: channel)
        self.program = program
        program.start()
    }

    /// A lamp that was changed, as by an update of its own program, is read anew.
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        log.notice("changed its services, \(invalidatedServices.count) of the known are gone")
        peripheral.discoverServices([Self.service])
    }
}
