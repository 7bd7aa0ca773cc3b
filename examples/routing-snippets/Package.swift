// swift-tools-version: 6.2
import PackageDescription

// `ROUTING_SNIPPETS_ISOLATION` is how all of it is compiled: absent for plain Swift 6, `MainActor` for main-actor isolation by
// default, `Approachable` for that with approachable concurrency, as new app projects are set up.
let mainActor: [SwiftSetting] = [.defaultIsolation(MainActor.self)]
let approachable: [SwiftSetting] =
    mainActor + [
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
let settings = ["": [], "MainActor": mainActor, "Approachable": approachable][
    Context.environment["ROUTING_SNIPPETS_ISOLATION"] ?? ""]!
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
