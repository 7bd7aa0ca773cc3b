import NIOPosix

/// The thread that all connections of this process share, created for the first device.
enum NetworkRuntime {
    static let network: RendererNetwork = {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        return RendererNetwork(transport: DeviceHTTPClient(), group: group, ledger: .ofProcess)
    }()
}
