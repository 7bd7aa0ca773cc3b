// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ambient-player",
    dependencies: [.package(name: "mdhost", path: "../..")],
    targets: [
        .target(name: "Sounds"),
        .executableTarget(
            name: "AmbientPlayer", dependencies: ["Sounds", .product(name: "NowPlaying", package: "mdhost")]),
        .testTarget(name: "AmbientPlayerTests", dependencies: ["AmbientPlayer", "Sounds"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
