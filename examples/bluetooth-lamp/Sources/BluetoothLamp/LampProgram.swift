import CoreBluetooth
import Foundation
import SystemLog

private let log = Logger(subsystem: "org.example.bluetooth-lamp", category: "program")

/// A light program: levels that are sent to the lamp over a separate channel. The lamp sends them back.
@MainActor
final class LampProgram: NSObject {
    private let channel: CBL2CAPChannel
    private let levels: Data
    private var sent = 0
    private var returned = Data()

    init(_ levels: Data, over channel: CBL2CAPChannel) {
        self.levels = levels
        self.channel = channel
    }

    func start() {
        let streams: [Stream] = [channel.inputStream, channel.outputStream]
        for stream in streams {
            stream.delegate = self
            stream.schedule(in: .main, forMode: .default)
            stream.open()
        }
    }

    func stop() {
        channel.inputStream.close()
        channel.outputStream.close()
    }

    private func send() {
        guard sent < levels.count else { return }
        let count = levels[sent...].withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                bytes.baseAddress.map { channel.outputStream.write($0, maxLength: bytes.count) } ?? 0
            }
        }
        sent += max(0, count)
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 1024)
        while channel.inputStream.hasBytesAvailable {
            let count = channel.inputStream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { break }
            returned += buffer.prefix(count)
        }
        guard returned.count >= levels.count else { return }
        log.info("a program of \(returned.count) levels came back, \(returned == levels ? "unchanged" : "changed")")
        returned = Data()
    }
}

extension LampProgram: @MainActor StreamDelegate {
    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: send()
        case .hasBytesAvailable: receive()
        case .endEncountered:
            if stream === channel.inputStream { log.info("the lamp has closed the channel") }
            stop()
        case .errorOccurred:
            log.error("the channel failed: \(String(describing: stream.streamError), privacy: .public)")
            stop()
        default: break
        }
    }
}
