// swift-tools-version: 6.2
import PackageDescription

// The programs that the benchmarks compare with or drive: see README.md. `run` builds and runs everything.

let package = Package(
    name: "mdhost-benchmarks",
    dependencies: [.package(name: "mdhost", path: "..")],
    targets: [
        .executableTarget(
            name: "BenchmarkExtension", dependencies: [.product(name: "MediaDevice", package: "mdhost")],
            resources: [.copy("Benchmark.mdext")]),
        .executableTarget(name: "BenchmarkFloor"),
        .executableTarget(
            name: "BenchmarkPlayer", dependencies: [.product(name: "NowPlaying", package: "mdhost")]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]
}
