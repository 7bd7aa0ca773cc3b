// swift-tools-version: 6.2
import PackageDescription

// Apple's names for modules of the SDK. Why they are a package of their own: see README.md.

let names = [
    "AppIntents": "AppEntities",
    "CoreGraphics": "BitmapImages",
    "Network": "NetworkConnections",
    "OSLog": "SystemLog",
    "UIKit": "AppInterface",
    "UniformTypeIdentifiers": "TypeIdentifiers",
    "os": "SystemLog",
]

let package = Package(
    name: "mdhost-compatibility",
    products: names.keys.sorted().map { .library(name: $0, targets: [$0]) },
    dependencies: [.package(name: "mdhost", path: "..")],
    targets: names.sorted { $0.key < $1.key }.map { name, module in
        .target(
            name: name,
            dependencies: [.product(name: module, package: "mdhost")]
                + (name == "UIKit" ? [.product(name: "BitmapImages", package: "mdhost")] : []))
    } + [
        .testTarget(
            name: "CompatibilityTests",
            dependencies: names.keys.sorted().map { .byName(name: $0) } + [
                .product(name: "NowPlaying", package: "mdhost")
            ])
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
