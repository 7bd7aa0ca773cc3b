// swift-tools-version: 6.2
import PackageDescription

// `ARTICLE_LISTINGS_ISOLATION` is how the listings are compiled: absent for plain Swift 6, `MainActor` for main-actor isolation
// by default, `Approachable` for that with approachable concurrency, as new app projects are set up.
let isolation = Context.environment["ARTICLE_LISTINGS_ISOLATION"] ?? ""
let mainActor: [SwiftSetting] = [.defaultIsolation(MainActor.self)]
let approachable: [SwiftSetting] =
    mainActor + [
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
let settings = ["": [], "MainActor": mainActor, "Approachable": approachable][isolation]!

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "mdhost") }

let package = Package(
    name: "article-listings",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .target(
            name: "LocalSessions", dependencies: [product("AVFAudio"), product("NowPlaying")], swiftSettings: settings),
        .target(name: "RoutingExtension", dependencies: [product("MediaDevice")], swiftSettings: settings),
        .target(name: "RoutingApp", dependencies: [product("AVSystemRouting")], swiftSettings: settings),
        .target(name: "RepresentableCorrected", dependencies: [product("NowPlaying")], swiftSettings: settings),
        .executableTarget(
            name: "RemoteSessions", dependencies: [product("ExtensionFoundation"), product("NowPlaying")],
            swiftSettings: settings),
        .executableTarget(
            name: "TalkExtension", dependencies: [product("ExtensionFoundation"), product("NowPlaying")],
            swiftSettings: settings),
        .executableTarget(name: "ListingAssembler"),
        .plugin(name: "AssembleListings", capability: .buildTool(), dependencies: ["ListingAssembler"]),
        .testTarget(
            name: "ArticleListingsTests", dependencies: ["LocalSessions", "RemoteSessions", "TalkExtension"],
            resources: [.copy("Payloads")]),
    ],
    swiftLanguageModes: [.v6]
)

// Targets that the compiler refuses are left out, except for `./refusals`, which checks the errors against the README.
let all = Context.environment["ARTICLE_LISTINGS_REFUSED"] != nil
if all || !isolation.isEmpty {
    package.targets.append(.target(name: "TalkPlayer", dependencies: [product("NowPlaying")], swiftSettings: settings))
}
if all {
    package.targets.append(
        .target(name: "RemoteRepresentable", dependencies: [product("NowPlaying")], swiftSettings: settings))
}

let assembled = [
    "LocalSessions", "RemoteRepresentable", "RemoteSessions", "RoutingApp", "RoutingExtension", "TalkExtension",
    "TalkPlayer",
]
for target in package.targets where assembled.contains(target.name) {
    target.plugins = [.plugin(name: "AssembleListings")]
}
