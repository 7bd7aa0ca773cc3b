import Foundation
import Testing

@testable import KernelBluetooth

@Suite struct KernelBluetoothTests {
    /// On any machine, the answer is consistent with the kernel's files.
    @Test func theKernelAnswers() {
        let bluetooth = KernelBluetooth.current()
        let shown = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/bluetooth")) ?? []
        #expect(bluetooth.failure == nil, "\(bluetooth.failure ?? "")")
        #expect(bluetooth.controllers.map(\.name) == shown.filter { !$0.contains(":") }.sorted())
    }

    @Test func addressesAreWrittenHighestByteFirst() {
        #expect(BluetoothController.address([0x0C, 0xBB, 0xAA, 0x22, 0x11, 0x00]) == "00:11:22:AA:BB:0C")
        #expect(BluetoothController.address([0, 0, 0, 0, 0, 0]) == nil)
    }

    @Test(
        arguments: [
            ("0", "0", nil), ("1", "0", RadioBlock.software), ("0", "1", .hardware), ("1", "1", .hardware),
        ] as [(String, String, RadioBlock?)])
    func blocks(soft: String, hard: String, expected: RadioBlock?) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appending(path: "hci0/rfkill3")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("\(soft)\n".utf8).write(to: folder.appending(path: "soft"))
        try Data("\(hard)\n".utf8).write(to: folder.appending(path: "hard"))
        #expect(RadioBlock.read(ofController: "hci0", in: root.path) == expected)
        #expect(RadioBlock.read(ofController: "hci1", in: root.path) == nil)
    }
}
