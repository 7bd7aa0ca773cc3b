// swift-tools-version: 6.2
import PackageDescription

// Every source folder is built twice: as plain Swift 6, and the way new app projects are set up.
let mainActorByDefault: [SwiftSetting] = [
    .defaultIsolation(MainActor.self),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
let mediaDevice: Target.Dependency = .product(name: "MediaDevice", package: "mdhost")
let routing: Target.Dependency = .product(name: "AVSystemRouting", package: "mdhost")

/// The two targets of one source folder.
func twice(_ name: String, _ dependencies: [Target.Dependency], installed: String? = nil) -> [Target] {
    [
        .executableTarget(
            name: name, dependencies: dependencies, resources: installed.map { [.copy($0)] } ?? []),
        .executableTarget(
            name: name + "OnMainActor", dependencies: dependencies, path: "MainActorSources/" + name,
            exclude: installed.map { [$0] } ?? [], swiftSettings: mainActorByDefault),
    ]
}

let package = Package(
    name: "routing-snippets",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .target(name: "MyProtocol"),
        .testTarget(
            name: "RoutingSnippetsTests",
            dependencies: ["DeviceExtensionCanonical", "DeviceExtensionArticle", "MyProtocol", mediaDevice]),
    ]
        + twice("DeviceExtensionCanonical", ["MyProtocol", mediaDevice], installed: "MyDevice.mdext")
        + twice("DeviceExtensionArticle", ["MyProtocol", mediaDevice], installed: "MyArticleDevice.mdext")
        + twice("DeviceExtensionStructure", [mediaDevice])
        + twice("MediaAppCanonical", [routing])
        + twice("MediaAppArticle", [routing]),
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .treatAllWarnings(as: .error),
        ]
}
