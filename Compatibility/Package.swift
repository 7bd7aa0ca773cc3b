// swift-tools-version: 6.2
import PackageDescription

// Apple's names for two modules of the SDK. Why they are a package of their own: see README.md.

let package = Package(
    name: "mdhost-compatibility",
    products: [
        .library(name: "Network", targets: ["Network"]),
        .library(name: "UniformTypeIdentifiers", targets: ["UniformTypeIdentifiers"]),
    ],
    dependencies: [.package(name: "mdhost", path: "..")],
    targets: [
        .target(name: "Network", dependencies: [.product(name: "DeviceDiscovery", package: "mdhost")]),
        .target(name: "UniformTypeIdentifiers", dependencies: [.product(name: "TypeIdentifiers", package: "mdhost")]),
        .testTarget(name: "CompatibilityTests", dependencies: ["Network", "UniformTypeIdentifiers"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
