// swift-tools-version: 6.2
import PackageDescription

// `NOW_PLAYING_SNIPPETS_ISOLATION` is how most of it is compiled: absent for plain Swift 6, `MainActor` for main-actor isolation
// by default, `Approachable` for that with approachable concurrency, as new app projects are set up. `PublishingIsolated` is
// always as new app projects are.
let mainActor: [SwiftSetting] = [.defaultIsolation(MainActor.self)]
let approachable: [SwiftSetting] =
    mainActor + [
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
let settings = ["": [], "MainActor": mainActor, "Approachable": approachable][
    Context.environment["NOW_PLAYING_SNIPPETS_ISOLATION"] ?? ""]!
let extensionFoundation: Target.Dependency = .product(name: "ExtensionFoundation", package: "mdhost")
let nowPlaying: Target.Dependency = .product(name: "NowPlaying", package: "mdhost")

let package = Package(
    name: "now-playing-snippets",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .target(name: "Publishing", dependencies: [nowPlaying], swiftSettings: settings),
        .target(name: "PublishingIsolated", dependencies: [nowPlaying], swiftSettings: approachable),
        .target(name: "RemoteAttributes", dependencies: [nowPlaying]),
        .target(
            name: "PublishingRemote", dependencies: ["RemoteAttributes", nowPlaying], swiftSettings: settings),
        .executableTarget(
            name: "RemoteExtension", dependencies: ["RemoteAttributes", extensionFoundation, nowPlaying],
            exclude: ["Remote.mdext"], swiftSettings: settings),
        .executableTarget(
            name: "RemoteExtensionByPoint", dependencies: ["RemoteAttributes", extensionFoundation, nowPlaying]),
        .executableTarget(
            name: "SnippetPlayer", dependencies: ["Publishing", "PublishingRemote", "RemoteAttributes"],
            resources: [.copy("SnippetPlayer.app")]),
        .testTarget(
            name: "NowPlayingSnippetsTests", dependencies: ["Publishing", "PublishingIsolated", nowPlaying]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .treatAllWarnings(as: .error),
        ]
}
