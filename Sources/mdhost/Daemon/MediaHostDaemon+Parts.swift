import Avahi
import BlueZ
import DBus
import Foundation
import HostBluetooth
import HostBus
import HostCentral
import HostClient
import HostConfinement
import HostCore
import HostDesktop
import HostDiscovery
import HostExtensions
import HostFiles
import HostInterface
import HostSamples
import HostSound
import HostState
import Logging
import Reachability
import SSDP

/// The parts of which the daemon is made.
extension MediaHostDaemon {
    func makeStore() async throws -> SQLiteStateStore {
        let secrets = options.usesSessionBus ? await SecretServiceClient.connect() : nil
        let store = try SQLiteStateStore(StateFile(folder: try HostFolders.state()), secrets: secrets, logger: logger)
        if let setAside = store.setAside { logger.error("\(setAside.message)") }
        return store
    }

    func makeNowPlaying(_ host: MediaHost, _ store: SQLiteStateStore) async throws -> NowPlaying {
        let logger = logger
        return NowPlaying(
            host: host, pausesOthers: try await store.pausesOthers(),
            keepPausesOthers: { try await store.setPausesOthers($0) },
            report: { error in
                logger.warning("\(error.message)", metadata: ["error.code": "\(error.code.rawValue)"])
            })
    }

    func makeRemoteSessions(
        _ supervisor: ExtensionSupervisor, _ store: SQLiteStateStore, _ nowPlaying: NowPlaying
    ) -> RemoteSessions {
        let logger = logger
        return RemoteSessions(
            runner: supervisor, store: store, nowPlaying: nowPlaying,
            report: { error in
                logger.warning("\(error.message)", metadata: ["error.code": "\(error.code.rawValue)"])
            })
    }

    private var soundTitle: String { "Sound of \(ProcessInfo.processInfo.hostName)" }

    /// Returns the actor that tells devices what programs play; `nil` without a session bus.
    func makeSinkMedia(_ host: MediaHost) -> SinkMedia? {
        guard options.usesSessionBus else { return nil }
        return SinkMedia(
            host: host, streams: ProgramStreamServer(logger: logger), players: SessionBusPlayers(logger: logger),
            parent: { ProcessParent.of($0) }, title: soundTitle)
    }

    func makeSinks(
        _ host: MediaHost, _ store: SQLiteStateStore, _ media: SinkMedia?
    ) async throws(HostError) -> SoundSinks {
        let logger = logger
        var following = SinkFollowing()
        do {
            following = try await store.sinkFollowing()
        } catch {
            logger.error("Whether new devices get sinks cannot be read", metadata: ["error": "\(error)"])
        }
        let folder = try HostFolders.runtime()
        return SoundSinks(
            host: host, server: SoundServer.ofThisUser(folder: folder, logger: logger),
            store: store, following: following, media: media, title: soundTitle,
            report: { error in
                logger.warning("\(error.message)", metadata: ["error.code": "\(error.code.rawValue)"])
            })
    }

    func makeRoutedStreams(_ host: MediaHost, _ sinks: SoundSinks, _ store: SQLiteStateStore) -> RoutedStreams {
        let logger = logger
        return RoutedStreams(
            host: host, server: ProgramStreamServer(logger: logger), sinks: sinks, store: store,
            parent: { ProcessParent.of($0) },
            report: { error in
                logger.warning("\(error.message)", metadata: ["error.code": "\(error.code.rawValue)"])
            })
    }

    func filePorts() throws(HostError) -> FilePorts {
        guard let text = ProcessInfo.processInfo.environment[FilePorts.variable] else { return .any }
        return try FilePorts(text)
    }

    func makeHost(
        _ store: SQLiteStateStore, _ supervisor: ExtensionSupervisor, _ files: HummingbirdFileServer, on loop: DBusLoop
    ) async throws -> MediaHost {
        let logger = logger
        let discovery = SharedDiscovery(
            bonjour: try AvahiClient(cacheEntries: Self.avahiSettings.cacheEntries), ssdp: SSDPBrowserService(),
            prober: try EndpointProber(), logger: logger)
        let bluez = BlueZClient()
        return MediaHost(
            runner: supervisor, discovery: discovery, files: files, samples: SocketDeliveries(), readers: makeReaders(),
            store: store,
            bluetooth: ComputerSoundOrders(
                before: HostBluetooth(client: bluez, sound: BluetoothSoundServer(), logger: logger), logger: logger),
            central: SharedBluetooth(bluez), announcer: AvahiAnnouncer(),
            network: { NetworkIdentity.current() }, timing: Self.timing, executor: loop,
            report: { error in
                logger.error("\(error.message)", metadata: ["error.code": "\(error.code.rawValue)"])
            })
    }

    func makeReaders() -> ConfinedMediaReaders {
        ConfinedMediaReaders(
            launcher: ConfinementLauncher.find(executable: InstalledPrograms.own),
            path: InstalledPrograms.find(ConfinedMediaReaders.program),
            environment: ProcessInfo.processInfo.environment, logger: logger)
    }

    private static var timing: HostTiming {
        var timing = HostTiming()
        #if SANITIZED
            // With sanitizers, extensions take several times longer to report devices (scripts/sanitize).
            timing.settling *= 5
            timing.renewal *= 5
        #endif
        return timing
    }

    private static var avahiSettings: AvahiSettings {
        AvahiSettings((try? String(contentsOfFile: AvahiSettings.path, encoding: .utf8)) ?? "")
    }

    func makeSupervisor(on loop: DBusLoop, _ store: some StateStore) async throws(HostError)
        -> ExtensionSupervisor
    {
        let environment = ProcessInfo.processInfo.environment
        let own = InstalledPrograms.own
        var configuration = ExtensionSupervisor.Configuration(
            hostName: ProcessInfo.processInfo.hostName, stateFolder: try HostFolders.state() + "/extensions",
            environment: environment)
        let folders: @Sendable () -> [ExtensionCatalog.Folder] = {
            ExtensionCatalog.standardFolders(environment: environment, executable: own)
        }
        configuration.loop = loop
        configuration.folders = folders
        configuration.launcher = ConfinementLauncher.find(executable: own)
        do {
            configuration.disabled = try await store.disabledExtensions()
        } catch {
            logger.error("Which extensions are switched off cannot be read", metadata: ["error": "\(error)"])
        }
        ExtensionOrphans.end(stateFolder: configuration.stateFolder, logger: logger)
        let supervisor = ExtensionSupervisor(
            configuration, catalog: ExtensionCatalog.scan(folders()), logger: logger)
        await supervisor.followFolders()
        return supervisor
    }

    func makeArtwork(_ nowPlaying: NowPlaying) throws -> ArtworkCache {
        let own = InstalledPrograms.own
        let fetcher = ConfinedPictureFetcher(
            launcher: ConfinementLauncher.find(executable: own),
            path: ConfinementLauncher.find(ConfinedPictureFetcher.program, executable: own),
            environment: ProcessInfo.processInfo.environment, logger: logger)
        return ArtworkCache(
            folder: try HostFolders.cache() + "/artwork", nowPlaying: nowPlaying, fetcher: fetcher, logger: logger)
    }
}
