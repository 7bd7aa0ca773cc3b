import AirPlayProtocol
import NIOCore
import NIOPosix

/// One receiver's sockets; for the event loop that carries them only.
struct StreamOutlet {
    private let audio: any Channel
    private let control: any Channel
    private let timing: any Channel
    private var audioAddress: SocketAddress?
    private var controlAddress: SocketAddress?
    private var timingAddress: SocketAddress?
    var listener = AudioListener()

    /// Binds three sockets.
    ///
    /// - Parameter local: The address that the receiver sees of this machine.
    static func open(
        _ ports: StreamPorts, at local: SocketAddress, on eventLoop: any EventLoop,
        control receivedControl: @escaping @Sendable ([UInt8], SocketAddress) -> Void,
        timing receivedTiming: @escaping @Sendable ([UInt8], SocketAddress) -> Void
    ) async throws(AirPlayError) -> StreamOutlet {
        let control = try await ports.bind(on: eventLoop, at: local, received: receivedControl)
        do throws(AirPlayError) {
            let timing = try await ports.bind(
                on: eventLoop, at: local, after: control.localAddress?.port, received: receivedTiming)
            do {
                var any = local
                any.port = 0
                let audio = try await DatagramBootstrap(group: eventLoop).bind(to: any).get()
                return StreamOutlet(audio: audio, control: control, timing: timing)
            } catch {
                timing.close(promise: nil)
                throw AirPlayError.unreachable(AirPlayTransport.describe(error))
            }
        } catch {
            control.close(promise: nil)
            throw error
        }
    }

    private init(audio: any Channel, control: any Channel, timing: any Channel) {
        self.audio = audio
        self.control = control
        self.timing = timing
    }

    /// The local ports.
    var ports: (control: Int, timing: Int) { (control.localAddress?.port ?? 0, timing.localAddress?.port ?? 0) }

    mutating func connect(to receiver: SocketAddress, _ transport: StreamTransport) {
        func address(_ port: Int) -> SocketAddress {
            var address = receiver
            address.port = port
            return address
        }
        audioAddress = address(transport.audio)
        controlAddress = address(transport.control)
        timingAddress = transport.timing.map(address)
        // An unknown packet type: the packet only has to leave.
        let punch = [UInt8](repeating: 0, count: 8)
        write(punch, on: timing, to: timingAddress)
        write(punch, on: control, to: controlAddress)
    }

    func close() { for channel in [audio, control, timing] { channel.close(promise: nil) } }

    // MARK: The stream

    /// Leaves with the next ``flush()``.
    mutating func sendAudio(_ packet: [UInt8]) {
        guard let packet = listener.audio(packet), let audioAddress else { return }
        audio.write(envelope(packet, on: audio, to: audioAddress), promise: nil)
    }

    func flush() { audio.flush() }

    mutating func tellTime(_ sync: StreamSync) {
        guard let packet = listener.sync(sync) else { return }
        write(packet, on: control, to: controlAddress)
    }

    // MARK: Packets of the receiver

    mutating func receivedControl(_ bytes: [UInt8], from address: SocketAddress, of stream: AudioStream) {
        guard address.ipAddress == controlAddress?.ipAddress else { return }
        for answer in listener.receivedControl(bytes, of: stream) {
            write(answer, on: control, to: controlAddress)
        }
    }

    mutating func receivedTiming(_ bytes: [UInt8], from address: SocketAddress, at received: StreamTime) {
        // Before the answer to `SETUP` is read, its address is not known; it asks again.
        guard let known = controlAddress, address.ipAddress == known.ipAddress else { return }
        guard let answer = listener.receivedTiming(bytes, at: received, now: StreamSender.now) else { return }
        // Some ask from another port than they named, or named none.
        timingAddress = address
        write(answer, on: timing, to: address)
    }

    private func write(_ bytes: [UInt8], on channel: any Channel, to address: SocketAddress?) {
        guard let address else { return }
        channel.writeAndFlush(envelope(bytes, on: channel, to: address), promise: nil)
    }

    private func envelope(
        _ bytes: [UInt8], on channel: any Channel, to address: SocketAddress
    ) -> AddressedEnvelope<ByteBuffer> {
        AddressedEnvelope(remoteAddress: address, data: channel.allocator.buffer(bytes: bytes))
    }
}
