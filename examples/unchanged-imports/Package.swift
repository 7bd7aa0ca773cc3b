// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "unchanged-imports",
    dependencies: [
        .package(name: "mdhost", path: "../.."),
        .package(path: "../../Compatibility"),
    ],
    targets: [
        .executableTarget(
            name: "UnchangedImports",
            dependencies: [
                .product(name: "MediaDevice", package: "mdhost"),
                .product(name: "Network", package: "Compatibility"),
                .product(name: "UniformTypeIdentifiers", package: "Compatibility"),
            ]),
        .testTarget(name: "UnchangedImportsTests", dependencies: ["UnchangedImports"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
