import HostClient
import HostInterface
public import Observation
import Synchronization

extension AppExtensionPoint {
    /// An observable monitor of the extensions that are installed for some extension points.
    ///
    /// It uses the daemon's list. While the daemon isn't running, the last state remains; the list is updated when the
    /// daemon is back. Releasing the monitor stops it.
    ///
    /// Source: ExtensionFoundation, iOS 26 SDK.
    public final class Monitor: Sendable, Observable {
        /// The installed extensions.
        public struct State: Sendable, Hashable {
            /// The extensions that can be used, sorted by name.
            public fileprivate(set) var identities: [AppExtensionIdentity] = []
            /// The number of extensions that a person disabled.
            public fileprivate(set) var disabledCount = 0
            /// The number of extensions that the host refuses to run until a person acts: they crashed repeatedly, or
            /// their `Info.plist` isn't valid.
            public fileprivate(set) var unapprovedCount = 0
        }

        private struct Followed {
            var points: Set<Identifier> = []
            var extensions: [String: ClientExtension] = [:]
            var state = State()
        }

        private let followed = Mutex(Followed())
        private let registrar = ObservationRegistrar()
        private let source: ExtensionListSource

        /// Creates a monitor without extension points; add them with ``addAppExtensionPoint(_:)``.
        public convenience init() { self.init(source: ExtensionListSource()) }

        /// Creates a monitor of an extension point, and returns when ``state`` is known.
        ///
        /// - Throws: ``AppExtensionError`` if the daemon isn't reachable, or the point has no name.
        public convenience init(appExtensionPoint: AppExtensionPoint) async throws {
            self.init()
            try await addAppExtensionPoint(appExtensionPoint)
        }

        init(source: ExtensionListSource) { self.source = source }

        deinit { source.stop() }

        /// The extensions that are installed for the monitored points.
        public var state: State {
            registrar.access(self, keyPath: \.state)
            return followed.withLock { $0.state }
        }

        /// The extensions that can be used, sorted by name.
        public var identities: [AppExtensionIdentity] { state.identities }

        /// Adds an extension point, and returns when ``state`` includes its extensions.
        ///
        /// - Throws: ``AppExtensionError`` if the daemon isn't reachable, or the point has no name.
        public func addAppExtensionPoint(_ point: AppExtensionPoint) async throws {
            guard let identifier = point.identifier else { throw AppExtensionError.invalidIdentifier("") }
            do throws(HostError) {
                try await source.start { [weak self] extensions in self?.show(extensions) }
            } catch {
                throw AppExtensionError.hostUnavailable(error.message)
            }
            change { $0.points.insert(identifier) }
        }

        /// Removes an extension point; no effect if it wasn't added.
        public func removeAppExtensionPoint(_ point: AppExtensionPoint) async throws {
            guard let identifier = point.identifier else { return }
            change { $0.points.remove(identifier) }
        }

        private func show(_ extensions: [String: ClientExtension]) { change { $0.extensions = extensions } }

        private func change(_ body: (inout Followed) -> Void) {
            let (old, new) = followed.withLock { followed in
                let old = followed.state
                body(&followed)
                return (old, Self.state(of: followed))
            }
            guard old != new else { return }
            registrar.withMutation(of: self, keyPath: \.state) {
                // Read the current state: another change may have come between.
                followed.withLock { $0.state = Self.state(of: $0) }
            }
        }

        private static let unusable = ["disabled", "quarantined", "invalid-manifest", "load-failed"]

        private static func state(of followed: Followed) -> State {
            let ours = followed.extensions.values.filter { followed.points.contains(Identifier($0.extensionPoint)) }
            var state = State()
            state.disabledCount = ours.count { $0.state == "disabled" }
            state.unapprovedCount = ours.count { ["quarantined", "invalid-manifest"].contains($0.state) }
            state.identities = ours.filter { !unusable.contains($0.state) }
                .map {
                    AppExtensionIdentity(
                        bundleIdentifier: $0.id, localizedName: $0.name, extensionPointIdentifier: $0.extensionPoint)
                }
                .sorted { ($0.localizedName, $0.id) < ($1.localizedName, $1.id) }
            return state
        }
    }
}
