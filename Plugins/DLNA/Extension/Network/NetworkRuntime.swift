import NIOPosix

/// What all connections of this process share: one thread, made when the first device is spoken to.
enum NetworkRuntime {
    static let network: RendererNetwork = {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        return RendererNetwork(transport: DeviceHTTPClient(group: group), group: group, ledger: .ofProcess)
    }()
}
