/// The other files of a new extension, as they are for the name “Kitchen”.
enum TemplateFiles {
    /// `«SDK»` stands for the dependency.
    static let package = #"""
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "Kitchen",
            dependencies: [
                «SDK»
            ],
            targets: [
                .executableTarget(
                    name: "KitchenExtension", dependencies: [.product(name: "PlaybackKit", package: "mdhost")],
                    resources: [.copy("Kitchen.mdext")]),
                .testTarget(
                    name: "KitchenExtensionTests",
                    dependencies: ["KitchenExtension", .product(name: "MediaDeviceTesting", package: "mdhost")]),
            ],
            swiftLanguageModes: [.v6]
        )

        """#

    static let manifest = #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>CFBundleIdentifier</key>
            <string>org.example.kitchen.extension</string>
            <key>CFBundleExecutable</key>
            <string>KitchenExtension</string>
            <key>CFBundleDisplayName</key>
            <string>Kitchen</string>
            <key>CFBundleShortVersionString</key>
            <string>0.1.0</string>
            <key>EXAppExtensionAttributes</key>
            <dict>
                <key>EXExtensionPointIdentifier</key>
                <string>com.apple.media-device-extension</string>
            </dict>
            <key>NSBonjourServices</key>
            <array>
                <string>_kitchen._tcp</string>
            </array>
            <key>UTExportedTypeDeclarations</key>
            <array>
                <dict>
                    <key>UTTypeIdentifier</key>
                    <string>org.example.kitchen</string>
                    <key>UTTypeDescription</key>
                    <string>Kitchen</string>
                    <key>UTTypeConformsTo</key>
                    <array>
                        <string>public.media-sharing-protocol</string>
                    </array>
                </dict>
            </array>
        </dict>
        </plist>

        """#

    static let tests = #"""
        import Foundation
        import MediaDeviceTesting
        import Testing

        @testable import KitchenExtension

        /// The extension in a system that the test plays: no daemon, no network.
        @MainActor
        @Suite(.timeLimit(.minutes(1)))
        struct KitchenExtensionTests {
            private let system = TestSystem(KitchenExtension())

            @Test func findsWhatIsAnnounced() async throws {
                system.network.announce(
                    "Radio", type: "_kitchen._tcp", addresses: ["192.0.2.7"], port: 9000, txt: ["id": "0012"])
                system.startDiscovery()
                let radio = try await system.foundDevice(named: "Radio")
                #expect(radio.networkEndpoints == [.hostPort(host: "192.0.2.7", port: 9000)])
                #expect(system.network.browsedTypes == ["_kitchen._tcp"])

                system.network.withdraw("Radio", type: "_kitchen._tcp")
                try await system.report("the loss") { $0 == .lost(radio.id) }
                #expect(system.devices.map(\.displayName) == ["Kitchen Sample"])
                system.stopDiscovery()
            }

            @Test func knowsADeviceByItsSerialNumber() async throws {
                system.startDiscovery()
                system.network.announce("Radio", type: "_kitchen._tcp", txt: ["id": "0012"])
                let radio = try await system.foundDevice(named: "Radio")

                system.network.withdraw("Radio", type: "_kitchen._tcp")
                try await system.report("the loss") { $0 == .lost(radio.id) }
                system.network.announce("Old Radio", type: "_kitchen._tcp", addresses: ["192.0.2.8"], txt: ["id": "0012"])
                #expect(try await system.foundDevice(named: "Old Radio").id == radio.id)
                system.stopDiscovery()
            }

            @Test func plays() async throws {
                system.startDiscovery()
                let device = try await system.foundDevice(named: "Kitchen Sample")
                // As if it had been paired before.
                system.setCredential(Data("1234".utf8), for: device)
                let session = system.activate(device)
                try await session.activated()

                session.start(URL(filePath: "/song.mp3"), information: .init(title: "Song", duration: 60))
                try await session.started()
                #expect(session.control?.metadata.title == "Song")
                #expect(session.control?.isPlaying == true)

                try session.perform(.pause)
                try session.perform(.seek(42))
                try await session.control("42 s, paused") {
                    !$0.isPlaying && $0.playbackPosition.rate == 0 && $0.playbackPosition.position.seconds == 42
                }
                #expect(throws: ReportedError.self) { try session.perform(.setSpeed(2)) }

                session.stop()
                #expect(session.control == nil)
                session.deactivate()
            }

            @Test func takesLiveSound() async throws {
                system.startDiscovery()
                let device = try await system.foundDevice(named: "Kitchen Sample")
                system.setCredential(Data("1234".utf8), for: device)
                let session = system.activate(device)
                try await session.activated()
                let delivery = try session.startSampleDelivery()
                try delivery.send(Data(count: 400))
                session.stopSampleDelivery()
                try await system.report("a complete delivery") { [id = session.id] in
                    $0 == .qualityReported(thresholdsMet: true, session: id)
                }
                session.deactivate()
            }

            @Test func takesTheScreen() async throws {
                system.startDiscovery()
                let device = try await system.foundDevice(named: "Kitchen Sample")
                system.setCredential(Data("1234".utf8), for: device)
                let session = system.activate(device, for: .realtimeVideoStreaming)
                try await session.activated()
                let delivery = try session.startVideoDelivery()
                let time = CMTime(value: 0, timescale: 30)
                try delivery.send(MediaVideoFrame(accessUnit: Data([1]), isKeyFrame: true, hostTime: time))
                try delivery.sound.send(Data(count: 400))
                session.stopSampleDelivery()
                try await system.report("a complete delivery") { [id = session.id] in
                    $0 == .qualityReported(thresholdsMet: true, session: id)
                }
                session.deactivate()
            }

            @Test func keepsTheVolume() async throws {
                system.startDiscovery()
                let device = try await system.foundDevice(named: "Kitchen Sample")
                system.setCredential(Data("1234".utf8), for: device)
                let session = system.activate(device)
                try await session.activated()
                try system.setVolume(0.3, for: device)
                try await system.report("the level") {
                    if case .volumeChanged(device.id, let level?, _) = $0 { abs(level - 0.3) < 0.001 } else { false }
                }
                session.deactivate()
            }
        }

        """#

    static let readme = #"""
        # Kitchen for mdhost

        A media device extension: a program that mdhost starts when somebody looks for devices, or uses one of these.

            swift build
            swift test
            mdhost extension check .
            mdhost extension install .
            mdhost discover

        | | |
        | --- | --- |
        | `Sources/KitchenExtension/KitchenExtension.swift` | how devices are found and opened |
        | `Sources/KitchenExtension/KitchenPlayer.swift` | a device in use: its state and people's wishes |
        | `Sources/KitchenExtension/Kitchen.mdext/Info.plist` | the manifest, which mdhost reads without running the program |
        | `Tests/KitchenExtensionTests` | tests with `MediaDeviceTesting`, without a daemon or a network |

        After a change: `swift build && mdhost extension install .`.

        """#

    static let ignored = ".build/\n"
}
