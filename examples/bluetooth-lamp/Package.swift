// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "bluetooth-lamp",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .executableTarget(
            name: "BluetoothLamp",
            dependencies: [
                .product(name: "CoreBluetooth", package: "mdhost"), .product(name: "MediaDevice", package: "mdhost"),
                .product(name: "SystemLog", package: "mdhost"),
            ], exclude: ["Lamp.mdext"])
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
