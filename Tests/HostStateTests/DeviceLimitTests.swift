import Foundation
import GRDB
import HostCore
import HostInterface
import Testing

@testable import HostState

@Suite(.timeLimit(.minutes(2))) struct DeviceLimitTests {
    private func large(_ index: Int, _ size: Int, of identifier: String = "org.flood") -> CachedDevice {
        var large = device(
            "Device \(index)", seen: Date(timeIntervalSince1970: Date().timeIntervalSince1970 - 60 + Double(index)))
        large.description.txt = ["fill": String(repeating: "x", count: size)]
        large.extensionIdentifier = identifier
        return large
    }

    /// The devices of an extension may have been stored before there were limits.
    @Test func aDatabaseThatIsTooBigIsCutDownAndTold() async throws {
        let state = TemporaryState()
        let first = try state.open()
        try await first.remember([device("Kitchen", seen: Date())], network: "home")
        try first.close()
        let queue = try DatabaseQueue(path: state.file.path)
        try await queue.write { database in
            for index in 0..<40 {
                let description = String(repeating: "y", count: 1 << 20)
                try database.execute(
                    sql: "INSERT INTO networkDevice VALUES ('home', ?, 'org.flood', ?, ?)",
                    arguments: ["d\(index)", description, Date().timeIntervalSince1970])
            }
        }
        try queue.close()
        let log = LogRecorder()
        let second = try state.open(log: log)
        #expect(try await second.cachedDevices(network: "home").map(\.description.name) == ["Kitchen"])
        #expect(log.lines.contains { $0.contains("40 were forgotten") })
        try second.close()
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: state.file.path)[.size] as? Int)
        #expect(size < 1 << 20)
    }

    @Test func anExtensionCannotFillTheDiskAndOthersStay() async throws {
        let state = TemporaryState()
        let store = try state.open()
        try await store.remember([device("Kitchen", seen: Date(timeIntervalSinceNow: -3_600))], network: "home")
        for batch in 0..<24 {
            try await store.remember((0..<100).map { large(batch * 100 + $0, 10_000) }, network: "home")
        }
        let devices = try await store.cachedDevices(network: "home")
        let limit = (DeviceTableLimits.perExtension + DeviceTableLimits.slack) / 10_000
        #expect((limit / 2...limit + 100).contains(devices.count), "\(devices.count)")
        // The newest of it, and the older one of another extension.
        #expect(devices.first?.description.name == "Device 2399")
        #expect(devices.last?.description.name == "Kitchen")
        try store.close()
    }

    @Test func devicesOfRemovedExtensionsAreForgotten() async throws {
        let state = TemporaryState()
        let store = try state.open()
        try await store.remember([device("Kitchen"), large(1, 10), large(2, 10)], network: "home")
        try await store.remember([large(3, 10, of: "org.other")], network: "office")
        try await store.forgetCachedDevices(exceptOf: ["org.example"])
        #expect(try await store.cachedDevices(network: "home").map(\.description.name) == ["Kitchen"])
        #expect(try await store.cachedDevices(network: "office").isEmpty)
        try store.close()
    }
}
