// swift-tools-version: 6.2
import PackageDescription

// `NOW_PLAYING_SNIPPETS_ISOLATION=MainActor swift build` builds `Publishing` as new app projects are set up; without it, it
// is plain Swift 6. `PublishingIsolated` is always as new app projects are.
let mainActorByDefault: [SwiftSetting] = [
    .defaultIsolation(MainActor.self),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let settings = Context.environment["NOW_PLAYING_SNIPPETS_ISOLATION"] == "MainActor" ? mainActorByDefault : []
let extensionFoundation: Target.Dependency = .product(name: "ExtensionFoundation", package: "mdhost")
let nowPlaying: Target.Dependency = .product(name: "NowPlaying", package: "mdhost")

let package = Package(
    name: "now-playing-snippets",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .target(name: "Publishing", dependencies: [nowPlaying], swiftSettings: settings),
        .target(name: "PublishingIsolated", dependencies: [nowPlaying], swiftSettings: mainActorByDefault),
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
