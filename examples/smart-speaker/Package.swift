// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "smart-speaker",
    dependencies: [
        .package(name: "mdhost", path: "../.."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        // The shared code of app, extension and server.
        .target(name: "Speakers", dependencies: [.product(name: "NowPlaying", package: "mdhost")]),
        .executableTarget(
            name: "SpeakerServer",
            dependencies: [
                "Speakers", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .executableTarget(
            name: "SmartSpeaker",
            dependencies: [
                "Speakers", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NowPlaying", package: "mdhost"),
            ], resources: [.copy("SmartSpeaker.app")]),
        .executableTarget(
            name: "SmartSpeakerRemote",
            dependencies: [
                "Speakers", .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "ExtensionFoundation", package: "mdhost"),
                .product(name: "NowPlaying", package: "mdhost"),
            ], exclude: ["Remote.mdext"]),
        .testTarget(name: "SpeakersTests", dependencies: ["Speakers", "SpeakerServer"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
