import Glibc
import Testing

@testable import KernelBluetooth

/// Tests of channels that need no radio; `BluetoothTests` has the rest.
@Suite(.timeLimit(.minutes(1)))
struct LowEnergyChannelTests {
    @Test func addressesHaveTheLowestByteFirst() {
        #expect(LowEnergyAddress("00:11:22:AA:BB:0C", isRandom: true)?.bytes == [0x0C, 0xBB, 0xAA, 0x22, 0x11, 0])
        for wrong in [
            "", "00:11:22:AA:BB", "00:11:22:AA:BB:CC:DD", "00:11:22:AA:BB:XY", "0:1:2:3:4:5", "00:11::22:AA:BB",
        ] {
            #expect(LowEnergyAddress(wrong, isRandom: false) == nil, "\(wrong)")
        }
    }

    @Test func theKernelsReasonsAreTold() {
        #expect(LowEnergyChannelError(ECONNREFUSED).code == .refused)
        #expect(LowEnergyChannelError(ETIMEDOUT).code == .timedOut)
        #expect(LowEnergyChannelError(ECONNABORTED).code == .disconnected)
        #expect(LowEnergyChannelError(EAFNOSUPPORT).code == .unavailable)
        #expect(LowEnergyChannelError(ENOMEM).message.contains(String(cString: strerror(ENOMEM))))
    }

    /// A connection queue without accepts: no radio of this machine is used.
    @Test func aConnectionIsAwaitedForALimitedTime() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(await LowEnergyChannel.connect(ends[0], within: .seconds(5)) == 0, "it is connected")
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while write(ends[0], &bytes, bytes.count) > 0 {}
        #expect(await LowEnergyChannel.connect(ends[0], within: .milliseconds(10)) == ETIMEDOUT)
        let waiting = Task { [end = ends[0]] in await LowEnergyChannel.connect(end, within: .seconds(600)) }
        waiting.cancel()
        #expect(await waiting.value != 0, "a cancelled wait ends at once")
    }
}
