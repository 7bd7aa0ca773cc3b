import Dispatch
import Glibc
import Testing

@testable import SSDP

/// Real sockets on the loopback interface, with a device made here.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SSDPBrowserServiceTests {
    private static let quick = SearchSchedule(times: [.zero, .milliseconds(100)], settled: .milliseconds(50))

    private func service() -> SSDPBrowserService {
        SSDPBrowserService(interfaces: .named(["lo"]), schedule: Self.quick)
    }

    private func uniqueTarget() throws -> SSDPTarget {
        try SSDPTarget("urn:mdhost-test:device:T\(UInt32.random(in: 0 ... .max)):1")
    }

    /// The next change, whenever the browse settles.
    private func change(
        of events: inout AsyncStream<SSDPEvent>.Iterator, settled: inout Bool
    ) async -> SSDPChange? {
        while let event = await events.next() {
            if case .change(let change) = event { return change }
            if event == .settled { settled = true }
        }
        return nil
    }

    @Test func findsADeviceBySearchThenFollowsItsAnnouncements() async throws {
        let target = try uniqueTarget()
        let device = try LoopbackDevice(target: target.text)
        defer { device.stop() }
        let service = service()
        var events = await service.browse(target).makeAsyncIterator()
        var settled = false
        guard case .found(let item) = await change(of: &events, settled: &settled) else {
            Issue.record("no answer")
            return
        }
        #expect(item.usn == "uuid:loopback::\(target.text)")
        #expect(item.addresses == ["127.0.0.1"])
        #expect(item.interfaces == ["lo"])

        device.announce("ssdp:alive", location: "http://127.0.0.1:81/moved.xml")
        guard case .changed(let moved) = await change(of: &events, settled: &settled) else {
            Issue.record("no change")
            return
        }
        #expect(moved.location == "http://127.0.0.1:81/moved.xml")
        device.announce("ssdp:byebye", location: "http://127.0.0.1:81/moved.xml")
        let lost = await change(of: &events, settled: &settled)
        #expect(lost == .lost(moved))
        if !settled { #expect(await events.next() == .settled) }
        await service.close()
    }

    @Test func secondBrowseStartsWithWhatIsKnown() async throws {
        let target = try uniqueTarget()
        let device = try LoopbackDevice(target: target.text)
        defer { device.stop() }
        let service = service()
        var first = await service.browse(target).makeAsyncIterator()
        var settled = false
        let found = try #require(await change(of: &first, settled: &settled))
        device.stop()
        var second = await service.browse(target).makeAsyncIterator()
        #expect(await second.next() == .change(found))
        await service.close()
    }

    @Test func lastBrowseClosesTheSockets() async throws {
        let service = service()
        let target = try uniqueTarget()
        let task = Task { for await _ in await service.browse(target) {} }
        while await service.report.interfaces.isEmpty { await Task.yield() }
        #expect(await service.report.interfaces == ["lo"])
        #expect(await service.report.problems.filter { $0.key.contains("239.") }.isEmpty)
        task.cancel()
        await task.value
        while await !service.report.interfaces.isEmpty { await Task.yield() }
        #expect(await service.report.items == 0)
    }

    @Test func withoutAnInterfaceItWaitsAndSettlesEmpty() async throws {
        let service = SSDPBrowserService(interfaces: .named(["no such interface"]), schedule: Self.quick)
        var events = await service.browse(try uniqueTarget()).makeAsyncIterator()
        #expect(await events.next() == .waiting)
        #expect(await events.next() == .settled)
        await service.close()
        #expect(await events.next() == nil)
    }

    @Test func anotherProgramMayListenAsWell() async throws {
        let target = try uniqueTarget()
        let one = service()
        let other = service()
        var atOne = await one.browse(target).makeAsyncIterator()
        var atOther = await other.browse(target).makeAsyncIterator()
        let device = try LoopbackDevice(target: target.text)
        defer { device.stop() }
        device.announce("ssdp:alive", location: "http://127.0.0.1:80/d.xml")
        var heard = 0
        for _ in 0..<2 { if case .change(.found) = await atOne.next() { heard += 1; break } }
        for _ in 0..<2 { if case .change(.found) = await atOther.next() { heard += 1; break } }
        #expect(heard == 2)
        await one.close()
        await other.close()
    }
}

/// A device on the loopback interface that answers searches for one target, until stopped.
private final class LoopbackDevice {
    private let target: String
    private let sender: Int32
    private let source: any DispatchSourceRead

    init(target: String) throws {
        self.target = target
        let interface = try #require(try NetworkInterface.current(.named(["lo"]))["lo"])
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var group = ip_mreqn()
        inet_pton(AF_INET, "239.255.255.250", &group.imr_multiaddr)
        group.imr_ifindex = Int32(interface.index)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        setsockopt(descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &group, socklen_t(MemoryLayout<ip_mreqn>.size))
        setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &group, socklen_t(MemoryLayout<ip_mreqn>.size))
        let bound = SocketAddress("239.255.255.250", port: 1900).withRaw { bind(descriptor, $0, $1) }
        try #require(bound == 0)
        let sender = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        setsockopt(sender, Int32(IPPROTO_IP), IP_MULTICAST_IF, &group, socklen_t(MemoryLayout<ip_mreqn>.size))
        self.sender = sender

        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "test device"))
        source.setCancelHandler {
            close(descriptor)
            close(sender)
        }
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 2_048)
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                    let count = recvfrom(descriptor, &buffer, buffer.count, 0, raw, &length)
                    guard count > 0, let message = try? SSDPMessage(parsing: buffer[..<count]),
                        message.kind == .search, message.headers["ST"] == target
                    else { return }
                    let answer = Array(
                        """
                        HTTP/1.1 200 OK\nST: \(target)\nUSN: uuid:loopback::\(target)
                        LOCATION: http://127.0.0.1:80/d.xml\nCACHE-CONTROL: max-age=100\n\n
                        """.utf8)
                    sendto(sender, answer, answer.count, 0, raw, length)
                }
            }
        }
        source.resume()
    }

    func announce(_ kind: String, location: String) {
        let notice = Array(
            """
            NOTIFY * HTTP/1.1\nNTS: \(kind)\nNT: \(target)\nUSN: uuid:loopback::\(target)
            LOCATION: \(location)\nCACHE-CONTROL: max-age=100\n\n
            """.utf8)
        _ = SocketAddress("239.255.255.250", port: 1900).withRaw {
            sendto(sender, notice, notice.count, 0, $0, $1)
        }
    }

    func stop() {
        source.cancel()
    }
}
