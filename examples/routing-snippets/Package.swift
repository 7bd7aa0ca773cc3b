// swift-tools-version: 6.2
import PackageDescription

// `ROUTING_SNIPPETS_ISOLATION=MainActor swift build` builds all of it as new app projects are set up; without it, it is
// plain Swift 6.
let mainActorByDefault: [SwiftSetting] = [
    .defaultIsolation(MainActor.self),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let settings = Context.environment["ROUTING_SNIPPETS_ISOLATION"] == "MainActor" ? mainActorByDefault : []
let mediaDevice: Target.Dependency = .product(name: "MediaDevice", package: "mdhost")
let routing: Target.Dependency = .product(name: "AVSystemRouting", package: "mdhost")

let package = Package(
    name: "routing-snippets",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .target(name: "MyProtocol"),
        .executableTarget(
            name: "DeviceExtensionCanonical", dependencies: ["MyProtocol", mediaDevice],
            resources: [.copy("MyDevice.mdext")], swiftSettings: settings),
        .executableTarget(
            name: "DeviceExtensionArticle", dependencies: ["MyProtocol", mediaDevice],
            resources: [.copy("MyArticleDevice.mdext")], swiftSettings: settings),
        .executableTarget(
            name: "DeviceExtensionStructure", dependencies: [mediaDevice], swiftSettings: settings),
        .executableTarget(name: "MediaAppCanonical", dependencies: [routing], swiftSettings: settings),
        .executableTarget(name: "MediaAppArticle", dependencies: [routing], swiftSettings: settings),
        .testTarget(
            name: "RoutingSnippetsTests",
            dependencies: ["DeviceExtensionCanonical", "DeviceExtensionArticle", "MyProtocol", mediaDevice]),
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
