// swift-tools-version: 6.2
import PackageDescription

// One direction of dependency: C → Platform → Link → SDK | Host → executables.
// Each section below is one folder of `Sources/` (or `Plugins/`), in that order.

let asyncHTTPClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")

let package = Package(
    name: "mdhost",
    products: [
        .executable(name: "mdhost", targets: ["mdhost"]),
        .executable(name: "mdhost-confine", targets: ["ConfineProgram"]),
        .executable(name: "mdhost-page", targets: ["PageProgram"]),
        .executable(name: "mdhost-push", targets: ["PushProgram"]),
        .executable(name: "mdhost-artwork", targets: ["ArtworkProgram"]),
        .executable(name: "mdhost-reader", targets: ["ReaderProgram"]),
        .executable(name: "mdhost-screen", targets: ["ScreenProgram"]),
        .executable(name: "mdhost-airplay", targets: ["AirPlayExtension"]),
        .executable(name: "mdhost-bluetooth", targets: ["BluetoothExtension"]),
        .executable(name: "mdhost-demo-cast", targets: ["CastReceiver"]),
        .executable(name: "mdhost-dlna", targets: ["DLNAExtension"]),
        .executable(name: "mdhost-googlecast", targets: ["GoogleCastExtension"]),
        .executable(name: "mdhost-kodi", targets: ["KodiExtension"]),
        .executable(name: "mdhost-mpd", targets: ["MPDExtension"]),
        .executable(name: "mdhost-reference", targets: ["ReferenceExtension"]),
        .executable(name: "mdhost-this-computer", targets: ["ThisComputerExtension"]),
        .library(name: "AppEntities", targets: ["AppEntities"]),
        .library(name: "AppInterface", targets: ["AppInterface"]),
        .library(name: "AVFAudio", targets: ["AVFAudio"]),
        .library(name: "AVFoundation", targets: ["AVFoundation"]),
        .library(name: "AVKit", targets: ["AVKit"]),
        .library(name: "AVSystemRouting", targets: ["AVSystemRouting"]),
        .library(name: "BitmapImages", targets: ["BitmapImages"]),
        .library(name: "CoreBluetooth", targets: ["CoreBluetooth"]),
        .library(name: "CoreMedia", targets: ["CoreMedia"]),
        .library(name: "DeviceDiscovery", targets: ["DeviceDiscovery"]),
        .library(name: "DeviceConnections", targets: ["DeviceConnections"]),
        .library(name: "ExtensionFoundation", targets: ["ExtensionFoundation"]),
        .library(name: "MediaDevice", targets: ["MediaDevice"]),
        .library(name: "MediaDeviceTesting", targets: ["MediaDeviceTesting"]),
        .library(name: "MediaPlayer", targets: ["MediaPlayer"]),
        .library(name: "NetworkConnections", targets: ["NetworkConnections"]),
        .library(name: "NowPlaying", targets: ["NowPlaying"]),
        .library(name: "PlaybackKit", targets: ["PlaybackKit"]),
        .library(name: "SystemLog", targets: ["SystemLog"]),
        .library(name: "TypeIdentifiers", targets: ["TypeIdentifiers"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // MARK: C: module maps and the few shims Swift cannot do without
        .systemLibrary(name: "CAvahi", path: "Sources/C/CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(
            name: "CBluetooth", path: "Sources/C/CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(
            name: "CFFmpeg", path: "Sources/C/CFFmpeg",
            providers: [.apt(["libavcodec-dev", "libavformat-dev", "libavutil-dev", "libswresample-dev"])]),
        .target(name: "CDeferredLibrary", path: "Sources/C/CDeferredLibrary"),
        .target(name: "CDispatchPacing", path: "Sources/C/CDispatchPacing"),
        .target(name: "CProgramMemory", path: "Sources/C/CProgramMemory"),
        .target(name: "CTaskResumption", path: "Sources/C/CTaskResumption"),
        .target(name: "CMosquitto", dependencies: ["CDeferredLibrary"], path: "Sources/C/CMosquitto"),
        .target(name: "COpus", dependencies: ["CDeferredLibrary"], path: "Sources/C/COpus"),
        // Its headers lie in folders of their own, and pkg-config's answer has a flag that no package may use.
        .target(
            name: "CPipeWire", dependencies: ["CDeferredLibrary"], path: "Sources/C/CPipeWire",
            cSettings: [.unsafeFlags(["-I/usr/include/pipewire-0.3", "-I/usr/include/spa-0.2"])]),
        .systemLibrary(
            name: "CPictureCodecs", path: "Sources/C/CPictureCodecs",
            providers: [.apt(["libpng-dev", "libturbojpeg0-dev", "libwebp-dev"])]),
        // Apart from CFFmpeg, so that only the program that captures the screen loads libavdevice.
        .systemLibrary(
            name: "CScreenEncoding", path: "Sources/C/CScreenEncoding",
            providers: [.apt(["libavdevice-dev", "libswscale-dev"])]),
        .target(name: "CPulseAudio", dependencies: ["CDeferredLibrary"], path: "Sources/C/CPulseAudio"),
        .systemLibrary(name: "CProcess", path: "Sources/C/CProcess"),
        .systemLibrary(name: "CSystemd", path: "Sources/C/CSystemd", providers: [.apt(["libsystemd-dev"])]),

        // MARK: Platform: one outside system each, no C type in the API
        .target(name: "AddressPolicy", path: "Sources/Platform/AddressPolicy"),
        .target(name: "Avahi", dependencies: ["Backoff", "CAvahi", "Threads"], path: "Sources/Platform/Avahi"),
        .target(name: "Backoff", path: "Sources/Platform/Backoff"),
        .target(name: "BlueZ", dependencies: ["Backoff", "DBus"], path: "Sources/Platform/BlueZ"),
        .target(name: "Confinement", dependencies: ["CProcess"], path: "Sources/Platform/Confinement"),
        .target(
            name: "DBus", dependencies: ["CSystemd", "ConnectionLimits", "Descriptors", "Threads"],
            path: "Sources/Platform/DBus"),
        .target(
            name: "ConnectionLimits", dependencies: ["CEventFD", "Descriptors"],
            path: "Sources/Platform/ConnectionLimits"),
        .target(name: "Descriptors", dependencies: ["CEventFD"], path: "Sources/Platform/Descriptors"),
        .target(
            name: "KernelBluetooth", dependencies: ["CBluetooth", "Threads"], path: "Sources/Platform/KernelBluetooth"),
        .target(
            name: "MediaDecoding", dependencies: ["CFFmpeg", "MediaReading", "PacketSockets"],
            path: "Sources/Platform/MediaDecoding"),
        .target(name: "MediaReading", dependencies: ["PacketSockets"], path: "Sources/Platform/MediaReading"),
        .target(name: "MediaTypes", path: "Sources/Platform/MediaTypes"),
        .target(name: "MQTT", dependencies: ["CMosquitto", "Threads"], path: "Sources/Platform/MQTT"),
        .target(name: "MulticastDNS", path: "Sources/Platform/MulticastDNS"),
        .target(name: "PictureScaling", dependencies: ["CPictureCodecs"], path: "Sources/Platform/PictureScaling"),
        .target(name: "PacketSockets", path: "Sources/Platform/PacketSockets"),
        .target(name: "Opus", dependencies: ["COpus"], path: "Sources/Platform/Opus", packageAccess: false),
        .target(name: "PipeWire", dependencies: ["CPipeWire", "SoundFeed"], path: "Sources/Platform/PipeWire"),
        .target(name: "PrivateFolders", path: "Sources/Platform/PrivateFolders"),
        .target(
            name: "PulseAudio", dependencies: ["CPulseAudio", "SoundFeed", "Threads"],
            path: "Sources/Platform/PulseAudio"),
        .target(name: "QRCodes", path: "Sources/Platform/QRCodes"),
        .target(name: "Reachability", dependencies: ["Threads"], path: "Sources/Platform/Reachability"),
        .target(
            name: "ScreenEncoding", dependencies: ["CScreenEncoding", "Threads"],
            path: "Sources/Platform/ScreenEncoding"),
        .target(name: "SoundFeed", path: "Sources/Platform/SoundFeed"),
        .target(name: "SSDP", dependencies: ["Reachability"], path: "Sources/Platform/SSDP"),
        .systemLibrary(name: "CEventFD", path: "Sources/C/CEventFD"),
        .target(name: "Threads", dependencies: ["CEventFD", "CTaskResumption"], path: "Sources/Platform/Threads"),
        .testTarget(name: "AddressPolicyTests", dependencies: ["AddressPolicy"]),
        .testTarget(name: "AvahiTests", dependencies: ["Avahi", "CAvahi"]),
        .testTarget(name: "BackoffTests", dependencies: ["Backoff"]),
        .testTarget(name: "BlueZTests", dependencies: ["BlueZ", "DBus", "ManualTime", "TestConditions"]),
        .testTarget(
            name: "ConfinementTests",
            dependencies: ["CProcess", "Confinement", "ConfineProgram", "HostileExtension", "HostileSwiftExtension"]),
        .testTarget(name: "DBusTests", dependencies: ["DBus", "TestConditions"]),
        .target(
            name: "DeferredFixture", dependencies: ["CDeferredLibrary"], path: "Tests/Support/DeferredFixture"),
        .testTarget(name: "DeferredLibraryTests", dependencies: ["DeferredFixture"]),
        .testTarget(name: "ConnectionLimitsTests", dependencies: ["ConnectionLimits"]),
        .testTarget(name: "DescriptorsTests", dependencies: ["Descriptors"]),
        .testTarget(name: "PrivateFoldersTests", dependencies: ["PrivateFolders"]),
        .testTarget(name: "MediaTypesTests", dependencies: ["MediaTypes"]),
        .testTarget(name: "KernelBluetoothTests", dependencies: ["KernelBluetooth"]),
        .testTarget(name: "OpusTests", dependencies: ["Opus"]),
        .target(
            name: "MediaDecodingSupport", dependencies: ["HostInterface", "MediaDecoding", "MediaReading"],
            path: "Tests/Support/MediaDecodingSupport"),
        .testTarget(name: "MediaReadingTests", dependencies: ["MediaReading"]),
        .testTarget(
            name: "MediaDecodingTests",
            dependencies: [
                "HostInterface", "MediaDecoding", "MediaDecodingSupport", "MediaReading", "PacketSockets",
            ]),
        .target(
            name: "MosquittoBroker",
            dependencies: [
                "TestConditions", crypto, .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            path: "Tests/Support/MosquittoBroker"),
        .testTarget(name: "MQTTTests", dependencies: ["MQTT", "MosquittoBroker"]),
        .testTarget(name: "MulticastDNSTests", dependencies: ["MulticastDNS"]),
        .testTarget(name: "ProgramMemoryTests", dependencies: ["CProgramMemory"]),
        .testTarget(name: "PictureScalingTests", dependencies: ["CPictureCodecs", "PictureScaling"]),
        .testTarget(name: "PipeWireTests", dependencies: ["PipeWire", "SoundFeed", "SoundServers"]),
        .testTarget(
            name: "PulseAudioTests", dependencies: ["PulseAudio", "SoundFeed", "SoundServers", "TestConditions"],
            resources: [.copy("Recordings")]),
        .testTarget(name: "QRCodesTests", dependencies: ["QRCodes"]),
        .testTarget(name: "ReachabilityTests", dependencies: ["Reachability"]),
        .testTarget(name: "ScreenEncodingTests", dependencies: ["ScreenEncoding"]),
        .testTarget(name: "SoundFeedTests", dependencies: ["SoundFeed"]),
        .target(name: "SoundServers", path: "Tests/Support/SoundServers"),
        .testTarget(name: "SSDPTests", dependencies: ["SSDP"], resources: [.copy("Corpus")]),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),

        // MARK: Link: names, paths and value encodings both sides of a link share
        .target(
            name: "HostInterface", dependencies: ["DBus", "PacketSockets", "Threads"],
            path: "Sources/Link/HostInterface"),
        .target(name: "PushInterface", path: "Sources/Link/PushInterface"),
        .target(name: "ScreenInterface", dependencies: ["HostInterface"], path: "Sources/Link/ScreenInterface"),
        .target(
            name: "DataChannels", dependencies: ["DBus", "HostInterface", "LinkProtocol", "Threads"],
            path: "Sources/Link/DataChannels"),
        .target(name: "LinkProtocol", dependencies: ["DBus", "HostInterface"], path: "Sources/Link/LinkProtocol"),
        .target(
            name: "ScriptedChannel", dependencies: ["DBus", "DataChannels", "HostInterface"],
            path: "Tests/Support/ScriptedChannel"),
        .testTarget(
            name: "DataChannelsTests", dependencies: ["DBus", "DataChannels", "HostInterface", "ScriptedChannel"]),
        .testTarget(name: "HostInterfaceTests", dependencies: ["HostInterface", "DBus"]),
        .testTarget(name: "LinkProtocolTests", dependencies: ["DBus", "HostInterface", "LinkProtocol"]),
        .testTarget(name: "ScreenInterfaceTests", dependencies: ["HostInterface", "ScreenInterface"]),
        .testTarget(name: "PushInterfaceTests", dependencies: ["PushInterface", crypto]),

        // MARK: SDK: modules for extension and app authors
        .target(name: "AppEntities", path: "Sources/SDK/AppEntities"),
        .target(name: "AppInterface", dependencies: ["BitmapImages", "NowPlaying"], path: "Sources/SDK/AppInterface"),
        .target(name: "AVFAudio", dependencies: ["NowPlaying"], path: "Sources/SDK/AVFAudio"),
        .target(name: "AVFoundation", dependencies: ["AVFAudio", "CoreMedia"], path: "Sources/SDK/AVFoundation"),
        .target(name: "AVKit", dependencies: ["CoreMedia", "TypeIdentifiers"], path: "Sources/SDK/AVKit"),
        .target(
            name: "AVSystemRouting",
            dependencies: [
                "AVKit", "DataChannels", "HostClient", "HostInterface", "PlaybackMirroring", "TypeIdentifiers", "DBus",
            ],
            path: "Sources/SDK/AVSystemRouting"),
        .target(name: "BitmapImages", path: "Sources/SDK/BitmapImages"),
        .target(
            name: "CoreBluetooth", dependencies: ["CEventFD", "DBus", "HostInterface", "Threads"],
            path: "Sources/SDK/CoreBluetooth"),
        .target(name: "CoreMedia", path: "Sources/SDK/CoreMedia"),
        .target(name: "DeviceDiscovery", dependencies: ["DBus", "HostInterface"], path: "Sources/SDK/DeviceDiscovery"),
        // NWConnection and NWListener on NIO; MediaDevice does not depend on it, so that it stays light.
        .target(
            name: "NetworkConnections",
            dependencies: [
                "DeviceDiscovery", "Reachability", nioCore, nioPosix, nioHTTP1,
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"), .product(name: "NIOTLS", package: "swift-nio"),
            ],
            path: "Sources/SDK/NetworkConnections"),
        .executableTarget(
            name: "ConnectionProbe", dependencies: ["NetworkConnections"], path: "Tests/Support/ConnectionProbe"),
        .target(
            name: "ObservedConnections", dependencies: ["NetworkConnections"], path: "Tests/Support/ObservedConnections"
        ),
        .testTarget(
            name: "NetworkConnectionsTests",
            dependencies: [
                "Confinement", "ConfineProgram", "ConnectionProbe", "ObservedConnections", "DeviceDiscovery",
                "HostInterface",
                "NetworkConnections", nioCore,
            ]),
        // No package access: these targets can use only what external authors can use.
        .target(
            name: "DeviceConnections",
            dependencies: ["DeviceDiscovery", "MediaDevice", nioCore, nioHTTP1, nioPosix, nioSSL],
            path: "Sources/SDK/DeviceConnections", packageAccess: false),
        .target(
            name: "ExtensionFoundation", dependencies: ["HostClient", "HostInterface"],
            path: "Sources/SDK/ExtensionFoundation"),
        .target(
            name: "ExtensionProgram",
            dependencies: [
                "CDispatchPacing", "CProgramMemory", "DBus", "ExtensionFoundation", "HostInterface", "LinkProtocol",
                "SystemLog",
            ],
            path: "Sources/SDK/ExtensionProgram"),
        .target(
            name: "MediaDevice",
            dependencies: [
                "AVKit", "CoreBluetooth", "CoreMedia", "DBus", "DataChannels", "DeviceDiscovery",
                "ExtensionFoundation", "ExtensionProgram", "HostInterface", "LinkProtocol", "MediaReading",
                "PlaybackMirroring", "TypeIdentifiers",
            ],
            path: "Sources/SDK/MediaDevice"),
        .target(
            name: "MediaDeviceTesting",
            dependencies: [
                "AVKit", "CoreMedia", "DBus", "DeviceDiscovery", "HostInterface", "LinkProtocol", "MediaDevice",
                "MediaReading", "PacketSockets", "PlaybackMirroring",
            ],
            path: "Sources/SDK/MediaDeviceTesting"),
        .target(name: "MediaPlayer", dependencies: ["AppInterface", "NowPlaying"], path: "Sources/SDK/MediaPlayer"),
        // Its closures run where they are called, as the SDK's do: on the main actor.
        .target(
            name: "NowPlaying",
            dependencies: [
                "AppEntities", "BitmapImages", "DBus", "ExtensionFoundation", "ExtensionProgram", "HostClient",
                "HostInterface", "LinkProtocol", "TypeIdentifiers",
            ],
            path: "Sources/SDK/NowPlaying",
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        .target(
            name: "PlaybackKit", dependencies: ["AddressPolicy", "Backoff", "MediaDevice"],
            path: "Sources/SDK/PlaybackKit",
            packageAccess: false),
        .target(
            name: "PlaybackMirroring", dependencies: ["AVKit", "CoreMedia", "HostInterface", "TypeIdentifiers"],
            path: "Sources/SDK/PlaybackMirroring"),
        .target(name: "SystemLog", dependencies: ["HostInterface"], path: "Sources/SDK/SystemLog"),
        .target(name: "TypeIdentifiers", path: "Sources/SDK/TypeIdentifiers"),
        .testTarget(name: "BitmapImagesTests", dependencies: ["BitmapImages", "NowPlaying"]),
        .testTarget(name: "AVFAudioTests", dependencies: ["AVFAudio"]),
        .testTarget(name: "AVKitTests", dependencies: ["AVKit"]),
        .testTarget(
            name: "AVSystemRoutingTests",
            dependencies: [
                "AVSystemRouting", "DBus", "DataChannels", "HostClient", "HostInterface", "ScriptedChannel",
                "ScriptedDaemon", "TypeIdentifiers",
            ]),
        .testTarget(name: "CoreBluetoothTests", dependencies: ["CoreBluetooth", "DBus", "HostInterface"]),
        .testTarget(name: "CoreMediaTests", dependencies: ["CoreMedia"]),
        .testTarget(name: "DeviceDiscoveryTests", dependencies: ["DeviceDiscovery", "HostInterface"]),
        .testTarget(
            name: "ExtensionFoundationTests",
            dependencies: ["DBus", "ExtensionFoundation", "HostClient", "HostInterface", "ScriptedDaemon"]),
        .testTarget(
            name: "MediaDeviceTests",
            dependencies: [
                "DBus", "DataChannels", "ExtensionProgram", "HostInterface", "MediaDevice", "PlaybackMirroring",
                "DeviceDiscovery", "AVKit", "CoreMedia", "ScriptedChannel", "TypeIdentifiers",
            ]),
        .testTarget(name: "MediaPlayerTests", dependencies: ["AppInterface", "MediaPlayer", "NowPlaying"]),
        .testTarget(name: "MediaDeviceTestingTests", dependencies: ["MediaDeviceTesting"]),
        .testTarget(
            name: "NowPlayingTests",
            dependencies: [
                "DBus", "HostClient", "HostInterface", "ManualTime", "NowPlaying", "ScriptedDaemon", "TypeIdentifiers",
            ]),
        .testTarget(
            name: "DeviceConnectionsTests",
            dependencies: ["DeviceConnections", nioCore, nioPosix, nioSSL, "DeviceDiscovery"], packageAccess: false
        ),
        .testTarget(
            name: "PlaybackKitTests", dependencies: ["MediaDevice", "MediaDeviceTesting", "PlaybackKit"],
            packageAccess: false),
        .testTarget(name: "SystemLogTests", dependencies: ["HostInterface", "SystemLog"]),
        .testTarget(name: "TypeIdentifiersTests", dependencies: ["TypeIdentifiers"]),

        // MARK: Host: the daemon's logic as values, and one adapter per outside system
        .target(
            name: "HostCore",
            dependencies: [
                "Backoff", "DBus", "DataChannels", "HostInterface", "LinkProtocol", "MediaReading", "PacketSockets",
                "PushInterface",
            ],
            path: "Sources/Host/HostCore"),
        .target(
            name: "HostBluetooth", dependencies: ["BlueZ", "DBus", "HostCore", "HostInterface", logging],
            path: "Sources/Host/HostBluetooth"),
        .target(
            name: "HostBroker",
            dependencies: ["Backoff", "HostCore", "HostInterface", "MQTT", "PushInterface", logging],
            path: "Sources/Host/HostBroker"),
        .target(
            name: "HostCentral", dependencies: ["BlueZ", "DBus", "HostCore", "HostInterface", "KernelBluetooth"],
            path: "Sources/Host/HostCentral"),
        .target(
            name: "HostBus", dependencies: ["HostCore", "HostInterface", "DBus", "PacketSockets", logging],
            path: "Sources/Host/HostBus"),
        .target(
            name: "HostConfinement", dependencies: ["Confinement", "HostClient"], path: "Sources/Host/HostConfinement"),
        .target(
            name: "HostDesktop",
            dependencies: [
                "AddressPolicy", "HostBus", "HostCore", "HostInterface", "HostPictures", "DBus", "PrivateFolders",
                logging,
            ],
            path: "Sources/Host/HostDesktop"),
        .target(
            name: "HostDiscovery",
            dependencies: [
                "HostCore", "HostInterface", "Avahi", "MulticastDNS", "Reachability", "SSDP", logging,
            ],
            path: "Sources/Host/HostDiscovery"),
        .target(
            name: "HostDoctor",
            dependencies: [
                "Avahi", "DBus", "HostClient", "HostCore", "HostInterface", "KernelBluetooth", "Reachability", "SSDP",
            ],
            path: "Sources/Host/HostDoctor"),
        .target(
            name: "HostExtensions",
            dependencies: [
                "Backoff", "CProcess", "Confinement", "HostConfinement", "HostCore", "HostInterface", "HostPictures",
                "LinkProtocol", "MediaReading", "PacketSockets", "PrivateFolders", "Threads",
                "DBus", logging,
            ],
            path: "Sources/Host/HostExtensions"),
        .target(
            name: "HostPictures", dependencies: ["AddressPolicy", "HostInterface"], path: "Sources/Host/HostPictures"),
        // A separate program, so that the daemon has no HTTP client. `mdhost` doesn't even depend on that program,
        // because SwiftPM also links the dependencies of a program that another one depends on.
        .target(
            name: "PictureDownloads",
            dependencies: [
                "AddressPolicy", "HostInterface", "HostPictures", asyncHTTPClient, nioCore, nioHTTP1, nioPosix,
            ],
            path: "Sources/Host/PictureDownloads"),
        .target(
            name: "HostFiles",
            dependencies: [
                "ConnectionLimits", "HostCore", "HostInterface", "HostSockets", "MediaTypes", logging, nioCore,
                nioPosix,
                .product(name: "HummingbirdCore", package: "hummingbird"),
            ], path: "Sources/Host/HostFiles"),
        // The page in the browser: a client of the daemon, in a process of its own.
        .target(
            name: "HostPage",
            dependencies: [
                "CProcess", "Confinement", "ConnectionLimits", "DBus", "HostClient", "HostConfinement", "HostDoctor",
                "HostInterface", "HostSockets", "PacketSockets", "QRCodes", "Reachability", crypto, logging, nioCore,
                nioHTTP1, nioPosix,
                .product(name: "HummingbirdCore", package: "hummingbird"),
            ], path: "Sources/Host/HostPage"),
        .target(
            name: "HostSamples",
            dependencies: ["CEventFD", "DBus", "HostCore", "HostInterface", "MediaReading", "SoundFeed", "Threads"],
            path: "Sources/Host/HostSamples"),
        .target(name: "HostSockets", dependencies: [nioCore], path: "Sources/Host/HostSockets"),
        .target(
            name: "HostSound",
            dependencies: [
                "Backoff", "DBus", "HostCore", "HostInterface", "PipeWire", "PulseAudio", "SoundFeed", logging,
            ],
            path: "Sources/Host/HostSound"),
        .target(
            name: "HostState",
            dependencies: [
                "HostCore", "HostInterface", "LinkProtocol", "DBus", "PrivateFolders", "Reachability", logging,
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Host/HostState"),
        .target(
            name: "PushGateway",
            dependencies: [
                "Backoff", "ConnectionLimits", "HostInterface", "HostSockets", "MQTT", "PushInterface", logging,
                nioCore,
                nioPosix, crypto,
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ], path: "Sources/Host/PushGateway"),
        .target(
            name: "PushOptions",
            dependencies: [
                "HostInterface", "MQTT", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Host/PushOptions"),
        .testTarget(
            name: "PushGatewayTests",
            dependencies: [
                "ConnectionLimits", "HostInterface", "MosquittoBroker", "MQTT", "PushGateway", "PushInterface", crypto,
                nioCore,
                .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"), nioPosix, logging,
            ]),
        .testTarget(name: "HostBluetoothTests", dependencies: ["BlueZ", "DBus", "HostBluetooth", "HostInterface"]),
        .testTarget(
            name: "HostBrokerTests",
            dependencies: [
                "HostBroker", "HostCore", "HostInterface", "MosquittoBroker", "MQTT", "PushInterface", logging,
            ]),
        .testTarget(
            name: "HostCentralTests",
            dependencies: ["BlueZ", "DBus", "HostCentral", "HostInterface", "KernelBluetooth"]),
        .target(name: "ManualTime", path: "Tests/Support/ManualTime"),
        .target(name: "TestConditions", path: "Tests/Support/TestConditions"),
        .testTarget(
            name: "HostCoreTests",
            dependencies: [
                "DBus", "HostCore", "HostInterface", "LinkProtocol", "ManualTime", "MediaReading", "PacketSockets",
                "PushInterface",
            ]),
        .testTarget(
            name: "HostDesktopTests",
            dependencies: [
                "AddressPolicy", "ArtworkProgram", "ConfineProgram", "DBus", "HostConfinement", "HostCore",
                "HostDesktop",
                "HostExtensions", "HostInterface", "HostPictures", "HostileExtension", "PictureDownloads",
                "PushGateway", asyncHTTPClient, logging, nioCore, nioPosix,
                nioHTTP1, .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .testTarget(
            name: "HostDiscoveryTests",
            dependencies: [
                "HostDiscovery", "HostCore", "HostInterface", "Avahi", "ManualTime", "MulticastDNS", "Reachability",
                "SSDP",
                logging,
            ]),
        .testTarget(
            name: "HostDoctorTests", dependencies: ["Avahi", "HostDoctor", "HostInterface", "KernelBluetooth"]),
        .executableTarget(name: "HostileExtension", path: "Tests/Support/HostileExtension"),
        .executableTarget(name: "HostileSwiftExtension", path: "Tests/Support/HostileSwiftExtension"),
        .executableTarget(
            name: "FaultyExtension", dependencies: ["DBus", "HostInterface"], path: "Tests/Support/FaultyExtension"),
        .testTarget(
            name: "HostExtensionsTests",
            dependencies: [
                "BluetoothLamp", "Confinement", "ConfineProgram", "DBus", "HostConfinement", "HostExtensions",
                "HostFiles", "HostSamples", "FaultyExtension", "HostileExtension", "HostCore", "HostInterface",
                "LinkProtocol",
                "MediaDecodingSupport", "MediaReading", "PacketSockets", "ReaderProgram", logging,
            ]),
        .testTarget(
            name: "HostPageTests",
            dependencies: ["CProcess", "DBus", "HostClient", "HostInterface", "HostPage", logging]),
        .testTarget(
            name: "HostFilesTests",
            dependencies: [
                "HostFiles", nioCore, .product(name: "NIOEmbedded", package: "swift-nio"), "HostInterface", "HostCore",
                "HostSockets", logging,
            ]),
        .testTarget(
            name: "HostSamplesTests",
            dependencies: [
                "DBus", "HostCore", "HostInterface", "HostSamples", "MediaDecodingSupport", "MediaReading",
                "PacketSockets", "SoundFeed",
            ]),
        .executableTarget(
            name: "StateWriter", dependencies: ["HostState", logging, "HostCore", "HostInterface"],
            path: "Tests/Support/StateWriter"),
        .testTarget(
            name: "HostStateTests",
            dependencies: [
                "HostState", "StateWriter", "HostCore", "HostInterface", .product(name: "GRDB", package: "GRDB.swift"),
                "DBus", logging,
            ]),

        // MARK: Executables
        .target(
            name: "HostClient", dependencies: ["HostInterface", "DBus", "CProcess", "PrivateFolders"],
            path: "Sources/Link/HostClient"),
        .executableTarget(
            name: "ConfineProgram", dependencies: ["CProcess", "Confinement"], path: "Sources/mdhost-confine"),
        .executableTarget(
            name: "PageProgram",
            // The launcher is built along with it, not linked.
            dependencies: [
                "ConfineProgram", "CDispatchPacing", "CProgramMemory", "HostClient", "HostInterface", "HostPage",
                logging,
            ],
            path: "Sources/mdhost-page", resources: [.embedInCode("Page")]),
        .executableTarget(
            name: "ArtworkProgram",
            dependencies: ["HostInterface", "HostPictures", "PictureDownloads", "PictureScaling"],
            path: "Sources/mdhost-artwork"),
        // The only program that a device's extension needs FFmpeg of.
        .executableTarget(
            name: "ReaderProgram", dependencies: ["CProcess", "CProgramMemory", "MediaDecoding", "MediaReading"],
            path: "Sources/mdhost-reader"),
        .executableTarget(
            name: "ScreenProgram",
            dependencies: [
                "DBus", "HostClient", "HostInterface", "PacketSockets", "PipeWire", "ScreenEncoding", "ScreenInterface",
                "SoundFeed", "Threads",
            ],
            path: "Sources/mdhost-screen"),
        // Not even built along with `mdhost`, as SwiftPM would link what it depends on; see PictureDownloads.
        .executableTarget(
            name: "PushProgram",
            dependencies: [
                "Descriptors", "HostClient", "HostInterface", "MQTT", "PushGateway", "PushOptions", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/mdhost-push"),
        .executableTarget(
            name: "mdhost",
            dependencies: [
                // Built along with it, not linked: without its launcher it runs no extension.
                "ConfineProgram",
                "CDispatchPacing", "CProgramMemory", "Avahi", "BlueZ", "HostBluetooth", "HostBroker", "HostBus",
                "HostCentral",
                "HostClient",
                "HostConfinement", "HostCore",
                "HostDesktop", "HostDiscovery", "HostDoctor", "HostExtensions", "HostFiles", "HostSamples", "HostSound",
                "HostState",
                "Descriptors", "PacketSockets", "PushOptions", "QRCodes", "Reachability",
                "ReferenceProtocol", "ReferenceReceiver", "ScreenInterface", "CProcess", "SSDP", logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"), "HostInterface", "DBus",
            ]),
        .testTarget(
            name: "mdhostTests",
            dependencies: [
                "mdhost", "HostClient", "HostInterface", "ManualTime", "DBus",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), logging,
            ]),
        .target(
            name: "ScriptedDaemon", dependencies: ["DBus", "HostInterface"], path: "Tests/Support/ScriptedDaemon"),
        .testTarget(
            name: "HostClientTests", dependencies: ["HostClient", "HostInterface", "DBus", "ScriptedDaemon"]),
        .executableTarget(
            name: "PublishingApp", dependencies: ["AVFAudio", "NowPlaying"], path: "Tests/Support/PublishingApp"),
        .executableTarget(
            name: "RemoteSessionExtension", dependencies: ["ExtensionFoundation", "NowPlaying"],
            path: "Tests/Support/RemoteSessionExtension"),
        .executableTarget(
            name: "ArticleApp", dependencies: ["AVKit", "AVSystemRouting", "CoreMedia"],
            path: "Tests/Support/ArticleApp", packageAccess: false),
        .executableTarget(
            name: "ArticleExtension",
            dependencies: ["AVKit", "CoreMedia", "DeviceDiscovery", "MediaDevice", "NetworkConnections", "SystemLog"],
            path: "Tests/Support/ArticleExtension", packageAccess: false),
        .executableTarget(name: "FaultyRelay", path: "Tests/Support/FaultyRelay"),
        // For Benchmarks, which measures internals that aren't in a library's interface.
        .executableTarget(
            name: "PushLoad",
            dependencies: [
                "HostBroker", "HostCore", "HostInterface", "MQTT", "PushGateway", "PushInterface", crypto, logging,
                nioCore, nioPosix,
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/Support/PushLoad"),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "ObservedConnections", "DBus", "DataChannels", "HostClient", "HostInterface", "MosquittoBroker",
                "NetworkConnections", "PushGateway", "ScriptedChannel", "SoundServers", crypto,
                // Programs that the tests start.
                "PageProgram", "PushProgram", "ScreenProgram", "ArticleApp", "ArticleExtension", "CastReceiver",
                "FaultyExtension",
                "FaultyRelay",
                "MPDExtension",
                "MediaAppArticle",
                "PublishingApp", "RawDisplay", "RawSpeaker", "RemoteSessionExtension", "RoutedPlayer",
            ]),

        // In a machine with Bluetooth that scripts/bluetooth-lab boots.
        .testTarget(
            name: "BluetoothTests", dependencies: ["BluetoothLamp", "mdhost"], exclude: ["Scenarios"]),
        // The examples as they are, to be run there and in the integration tests.
        .executableTarget(
            name: "RoutedPlayer", dependencies: ["AVSystemRouting"],
            path: "examples/routed-player/Sources/RoutedPlayer", packageAccess: false),
        .executableTarget(
            name: "MediaAppArticle", dependencies: ["AVSystemRouting"],
            path: "examples/routing-snippets/Sources/MediaAppArticle", packageAccess: false,
            swiftSettings: [.defaultIsolation(MainActor.self)]),
        .executableTarget(
            name: "RawSpeaker", dependencies: ["MediaDevice", "NetworkConnections", "SystemLog"],
            path: "examples/raw-speaker/Sources/RawSpeaker", exclude: ["RawSpeaker.mdext"], packageAccess: false),
        .executableTarget(
            name: "RawDisplay", dependencies: ["MediaDevice", "NetworkConnections", "SystemLog"],
            path: "examples/raw-display/Sources/RawDisplay", exclude: ["RawDisplay.mdext"], packageAccess: false),
        .executableTarget(
            name: "BluetoothLamp", dependencies: ["CoreBluetooth", "MediaDevice", "SystemLog"],
            path: "examples/bluetooth-lamp/Sources/BluetoothLamp", exclude: ["Lamp.mdext"], packageAccess: false),

        // MARK: Plugins: Protocol (no I/O), Extension (the program), Tests
        // For devices that connect to their extension.
        .target(
            name: "ReverseConnections", dependencies: ["ConnectionLimits", nioCore, nioHTTP1, nioPosix],
            path: "Plugins/ReverseConnections"),
        // Shared by those that read media here and send it live.
        .target(
            name: "LiveSound", dependencies: ["MediaDevice", "MediaReading"], path: "Plugins/LiveSound"),
        // Shared by those that play through this computer's sound server.
        .target(
            name: "SoundServerPlayback", dependencies: ["LiveSound", "MediaReading", "PlaybackKit"],
            path: "Plugins/SoundServerPlayback"),
        .target(name: "AirPlayProtocol", dependencies: [crypto, cryptoExtras], path: "Plugins/AirPlay/Protocol"),
        .target(
            name: "AirPlayPairing", dependencies: ["AirPlayProtocol", crypto, cryptoExtras],
            path: "Plugins/AirPlay/Pairing"),
        .executableTarget(
            name: "AirPlayExtension",
            dependencies: [
                "AirPlayPairing", "AirPlayProtocol", "LiveSound", "MediaDevice", "MediaReading", "PlaybackKit",
                "ReverseConnections", "StoredValues", logging, nioCore, nioHTTP1, nioPosix,
            ],
            path: "Plugins/AirPlay/Extension", resources: [.copy("AirPlay.mdext")]),
        .testTarget(
            name: "AirPlayTests",
            dependencies: [
                "AirPlayPairing", "AirPlayProtocol", "AirPlayExtension", "MediaDecodingSupport", "MediaDevice",
                "MediaDeviceTesting", "PlaybackKit", "TestConditions",
                crypto, nioCore, nioPosix,
            ],
            path: "Plugins/AirPlay/Tests"),
        .executableTarget(
            name: "BluetoothExtension",
            dependencies: ["PlaybackKit", "SoundServerPlayback"],
            path: "Plugins/Bluetooth/Extension", resources: [.copy("Bluetooth.mdext")]),
        .testTarget(
            name: "BluetoothExtensionTests",
            dependencies: [
                "BluetoothExtension", "DBus", "DeviceDiscovery", "HostInterface", "MediaDecodingSupport",
                "MediaDevice", "MediaReading", "PacketSockets", "PlaybackKit", "SoundServers",
            ],
            path: "Plugins/Bluetooth/Tests"),
        .target(name: "DLNAProtocol", dependencies: ["MediaTypes"], path: "Plugins/DLNA/Protocol"),
        .executableTarget(
            name: "DLNAExtension",
            dependencies: [
                "Backoff", "Descriptors", "DeviceConnections", "DLNAProtocol", "MediaTypes", "PlaybackKit",
                "ReverseConnections", nioCore, nioHTTP1, nioPosix,
            ],
            path: "Plugins/DLNA/Extension", resources: [.copy("DLNA.mdext")]),
        .testTarget(
            name: "DLNATests",
            dependencies: [
                "DeviceConnections", "DLNAProtocol", "DLNAExtension", "MediaDevice", "MediaDeviceTesting", "MediaTypes",
                "PlaybackKit",
                "TestConditions",
                nioCore, nioPosix,
            ],
            path: "Plugins/DLNA/Tests", resources: [.copy("Fixtures")]),
        // Shared by those whose next process continues with something.
        .target(
            name: "StoredValues", dependencies: [logging], path: "Plugins/StoredValues", exclude: ["Tests"],
            packageAccess: false),
        .testTarget(
            name: "StoredValuesTests", dependencies: ["StoredValues", logging], path: "Plugins/StoredValues/Tests",
            packageAccess: false),
        // Shared by the protocols whose messages are JSON.
        .target(name: "JSONValues", path: "Plugins/JSONValues", packageAccess: false),
        .target(
            name: "CastStreaming", dependencies: ["JSONValues", crypto, cryptoExtras],
            path: "Plugins/GoogleCast/Streaming", packageAccess: false),
        .testTarget(
            name: "CastStreamingTests", dependencies: ["CastStreaming", "JSONValues", "Opus"],
            path: "Plugins/GoogleCast/StreamingTests", resources: [.copy("Fixtures")]),
        // These three on the kit alone.
        .target(
            name: "GoogleCastProtocol", dependencies: ["DeviceConnections", "JSONValues", "MediaTypes", "PlaybackKit"],
            path: "Plugins/GoogleCast/Protocol", packageAccess: false),
        .executableTarget(
            name: "GoogleCastExtension",
            dependencies: [
                "CastStreaming", "DeviceConnections", "GoogleCastProtocol", "JSONValues", "Opus",
                "PlaybackKit",
            ],
            path: "Plugins/GoogleCast/Extension", resources: [.copy("GoogleCast.mdext")], packageAccess: false),
        // A simulated device, for `mdhost demo --cast` and the tests: a program of its own, so that its certificates and
        // decoders are no part of the daemon.
        .executableTarget(
            name: "CastReceiver",
            dependencies: [
                "Avahi", "CastStreaming", "GoogleCastProtocol", "JSONValues", "MediaDecoding", "MediaReading", "Opus",
                "ReferenceReceiver", asyncHTTPClient, crypto, cryptoExtras, nioCore, nioHTTP1, nioPosix,
                nioSSL,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            path: "Plugins/GoogleCast/Simulator"),
        .testTarget(
            name: "GoogleCastTests",
            dependencies: [
                "DeviceConnections", "GoogleCastExtension", "GoogleCastProtocol", "JSONValues",
                "MediaDeviceTesting", "PlaybackKit",
            ],
            path: "Plugins/GoogleCast/Tests", packageAccess: false),
        .target(
            name: "KodiProtocol", dependencies: ["DeviceConnections", "JSONValues", "PlaybackKit"],
            path: "Plugins/Kodi/Protocol", packageAccess: false),
        .executableTarget(
            name: "KodiExtension", dependencies: ["DeviceConnections", "JSONValues", "KodiProtocol", "PlaybackKit"],
            path: "Plugins/Kodi/Extension", resources: [.copy("Kodi.mdext")], packageAccess: false),
        .testTarget(
            name: "KodiTests",
            dependencies: [
                "DeviceConnections", "JSONValues", "KodiExtension", "KodiProtocol", "MediaDeviceTesting", "PlaybackKit",
            ],
            path: "Plugins/Kodi/Tests", packageAccess: false),
        .target(
            name: "MPDProtocol", dependencies: ["DeviceConnections", "PlaybackKit"], path: "Plugins/MPD/Protocol",
            packageAccess: false),
        .executableTarget(
            name: "MPDExtension",
            dependencies: ["DeviceConnections", "MPDProtocol", "PlaybackKit", "StoredValues", logging],
            path: "Plugins/MPD/Extension", resources: [.copy("MPD.mdext")], packageAccess: false),
        .testTarget(
            name: "MPDTests",
            dependencies: [
                "DeviceConnections", "MPDProtocol", "MPDExtension", "MediaDeviceTesting", "PlaybackKit",
                "TestConditions", nioCore, nioPosix,
            ], path: "Plugins/MPD/Tests", packageAccess: false),
        // No package access: these targets can use only what external authors can use.
        .target(name: "ReferenceProtocol", path: "Plugins/Reference/Protocol", packageAccess: false),
        .executableTarget(
            name: "ReferenceExtension",
            dependencies: ["DeviceConnections", "MediaDevice", "PlaybackKit", "ReferenceProtocol"],
            path: "Plugins/Reference/Extension", resources: [.copy("Reference.mdext")], packageAccess: false),
        .target(
            name: "ReferenceReceiver", dependencies: ["Backoff", "ReferenceProtocol", nioCore, nioPosix, nioHTTP1],
            path: "Plugins/Reference/Receiver", packageAccess: false),
        .testTarget(
            name: "ReferenceTests",
            dependencies: [
                "DeviceConnections", "ReferenceProtocol", "ReferenceExtension", "ReferenceReceiver",
                "MediaDeviceTesting", nioCore, nioPosix,
            ],
            path: "Plugins/Reference/Tests", packageAccess: false),
        .executableTarget(
            name: "ThisComputerExtension", dependencies: ["DeviceDiscovery", "PlaybackKit", "SoundServerPlayback"],
            path: "Plugins/ThisComputer/Extension", resources: [.copy("ThisComputer.mdext")]),
    ],
    swiftLanguageModes: [.v6]
)

// MARK: Fuzzing: the same targets as tests, or as the program that scripts/fuzz builds

let fuzzed: [Target.Dependency] = [
    "AddressPolicy", "Confinement", "CSystemd", "DBus", "DataChannels", "DeviceDiscovery", "HostBus", "HostClient",
    "HostCore", "HostConfinement", "HostDesktop",
    "HostExtensions", "HostFiles", "HostInterface", "LinkProtocol", "MediaDevice", "MulticastDNS", "PushInterface",
    "Reachability", "SSDP", "TypeIdentifiers", "AirPlayPairing", "AirPlayProtocol", "DLNAProtocol",
    "CastStreaming", "DeviceConnections", "GoogleCastProtocol", "JSONValues", "KodiProtocol",
    "MediaReading", "MPDProtocol", "PlaybackKit", "PulseAudio", "ReferenceProtocol", "ReferenceReceiver",
]
if Context.environment["MDHOST_FUZZING"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed + ["DLNAExtension", logging, nioPosix],
            exclude: ["Corpus", "Driver"]))
} else {
    package.targets.append(
        .executableTarget(
            name: "Fuzzer", dependencies: fuzzed, path: "Tests/FuzzTests",
            exclude: ["Corpus", "FuzzTests.swift", "Servers"]))
}

// The coverage that guides libFuzzer: only in our modules, because no search is for faults elsewhere. Not as
// a sanitizer: SwiftPM passes two sanitizers in two options, and the compiler takes only the last one.
let searched: [SwiftSetting] =
    Context.environment["MDHOST_FUZZING"] == nil
    ? [] : [.unsafeFlags(["-sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"])]

// Resolved at start and then read-only, so that overwritten memory contains no table of functions. Flags of executables
// don't prevent other packages from depending on this package's libraries.
for target in package.targets where target.type == .executable {
    target.linkerSettings =
        (target.linkerSettings ?? []) + [
            .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])
        ]
}

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + searched + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .treatAllWarnings(as: .error),
        ]
}
