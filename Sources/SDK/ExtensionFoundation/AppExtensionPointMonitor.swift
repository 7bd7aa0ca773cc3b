import HostClient
import HostInterface
import Observation
import Synchronization

extension AppExtensionPoint {
    /// Follows which extensions are installed for some points, for as long as it is held. Observable.
    ///
    /// The daemon's list tells. While the daemon is away the last state stands; it is asked again when it is back.
    ///
    /// Source: ExtensionFoundation, iOS 26 SDK.
    public final class Monitor: Sendable, Observable {
        /// What is installed.
        public struct State: Sendable, Hashable {
            /// Those that can be used, by name.
            public fileprivate(set) var identities: [AppExtensionIdentity] = []
            /// How many a person has switched off.
            public fileprivate(set) var disabledCount = 0
            /// How many the host refuses to run until a person has looked at them: they crashed again and again, or their
            /// `Info.plist` isn't valid.
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

        /// Follows no point until ``addAppExtensionPoint(_:)``.
        public convenience init() { self.init(source: ExtensionListSource()) }

        /// Follows a point.
        ///
        /// - Returns: When ``state`` is known.
        /// - Throws: ``AppExtensionError`` where the daemon can't be reached, or the point has no name.
        public convenience init(appExtensionPoint: AppExtensionPoint) async throws {
            self.init()
            try await addAppExtensionPoint(appExtensionPoint)
        }

        init(source: ExtensionListSource) { self.source = source }

        deinit { source.stop() }

        /// What is installed for the points that are followed.
        public var state: State {
            registrar.access(self, keyPath: \.state)
            return followed.withLock { $0.state }
        }

        /// Those that can be used, by name.
        public var identities: [AppExtensionIdentity] { state.identities }

        /// Follows another point.
        ///
        /// - Returns: When ``state`` has its extensions.
        /// - Throws: As ``init(appExtensionPoint:)``.
        public func addAppExtensionPoint(_ point: AppExtensionPoint) async throws {
            guard let identifier = point.identifier else { throw AppExtensionError.invalidIdentifier("") }
            do throws(HostError) {
                try await source.start { [weak self] extensions in self?.show(extensions) }
            } catch {
                throw AppExtensionError.hostUnavailable(error.message)
            }
            change { $0.points.insert(identifier) }
        }

        /// Follows a point no more.
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
                // By what is followed now: another change may have come between.
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
