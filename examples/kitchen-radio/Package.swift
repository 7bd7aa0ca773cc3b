// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "kitchen-radio",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .executableTarget(
            name: "KitchenRadio",
            dependencies: [
                .product(name: "DeviceConnections", package: "mdhost"),
                .product(name: "PlaybackKit", package: "mdhost"),
            ], exclude: ["Radio.mdext"]),
        .testTarget(
            name: "KitchenRadioTests",
            dependencies: ["KitchenRadio", .product(name: "MediaDeviceTesting", package: "mdhost")]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
