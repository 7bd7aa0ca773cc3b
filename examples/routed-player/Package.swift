// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "routed-player",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .executableTarget(
            name: "RoutedPlayer", dependencies: [.product(name: "AVSystemRouting", package: "mdhost")])
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
