import DBus

/// The object from which bluetoothd reads the current media, and which it calls for the keys of devices.
actor RemotePlayer {
    static let interface = "org.mpris.MediaPlayer2.Player"

    nonisolated let loop: DBusLoop
    nonisolated let path: String
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let objects: DBusObjectServer
    /// The unique name of bluetoothd, the only client that may press keys.
    private let caller: String
    private let onKey: @Sendable (RemoteKey) -> Void

    init(loop: DBusLoop, number: Int, caller: String, onKey: @escaping @Sendable (RemoteKey) -> Void) {
        self.loop = loop
        path = "/org/mdhost/player\(number)"
        self.caller = caller
        self.onKey = onKey
        objects = DBusObjectServer(loop: loop, objectManagerPath: path)
    }

    /// Shows it on the connection.
    func attach(_ connection: DBusConnection, showing media: PlayedMedia) async throws(DBusError) {
        try await objects.add(path: path, [(declaration(), media.properties)])
        try await objects.attach(connection)
    }

    func show(_ media: PlayedMedia) async {
        await objects.update(path: path, interface: Self.interface, media.properties)
    }

    func remove() async { await objects.remove(path: path) }

    private func declaration() -> DBusInterface {
        DBusInterface(
            Self.interface,
            methods: RemoteKey.allCases.map { key in
                DBusMethod(key.method) { [caller, onKey] call in
                    guard call.client.busName == caller else {
                        return call.fail(DBusError(name: DBusError.Name.accessDenied, message: "not for you"))
                    }
                    call.reply()
                    onKey(key)
                }
            },
            properties: [
                DBusProperty("PlaybackStatus", "s"), DBusProperty("Position", "x"), DBusProperty("Metadata", "a{sv}"),
                DBusProperty("Identity", "s"), DBusProperty("CanControl", "b"), DBusProperty("CanPlay", "b"),
                DBusProperty("CanPause", "b"), DBusProperty("CanGoNext", "b"), DBusProperty("CanGoPrevious", "b"),
            ])
    }
}
