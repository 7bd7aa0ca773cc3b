// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "raw-display",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .executableTarget(
            name: "RawDisplay",
            dependencies: [
                .product(name: "MediaDevice", package: "mdhost"),
                .product(name: "NetworkConnections", package: "mdhost"),
                .product(name: "SystemLog", package: "mdhost"),
            ], exclude: ["RawDisplay.mdext"]),
        .testTarget(
            name: "RawDisplayTests",
            dependencies: ["RawDisplay", .product(name: "MediaDeviceTesting", package: "mdhost")]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
