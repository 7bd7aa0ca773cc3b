import Foundation
import HostInterface
import LinkProtocol

extension MediaHost {
    /// Processes an event of an extension. Events of an earlier process are ignored.
    func handle(_ supervised: SupervisedEvent) {
        let identifier = supervised.identifier
        if isRemoteMedia(supervised) { outbox.yield(.remoteMedia(supervised)) }
        switch supervised.event {
        case .status(let status):
            take(status)
            if !status.canRun { launches.fail(status.id, with: status.reasonNotToRun) }
        case .removed: extensionRemoved(identifier)
        case .marked(let ticket): marks.fulfil(ticket, with: ())
        case .started where statuses[identifier]?.point == .remoteMedia: break
        case .started:
            running[identifier] = supervised.generation
            if isLooking || isSearching(identifier) { perform(.startDeviceDiscovery, on: identifier) }
            lookHasBegun()
            launches.fulfil(identifier, with: ())
        case .crashed(let error):
            launches.fail(identifier, with: error)
            extensionDied(identifier, error)
        case .stopped: extensionStopped(identifier)
        case .message(let message):
            guard running[identifier] == supervised.generation else { return }
            handle(message, from: identifier, generation: supervised.generation)
        }
    }

    private func isRemoteMedia(_ supervised: SupervisedEvent) -> Bool {
        if case .status(let status) = supervised.event { return status.point == .remoteMedia }
        return statuses[supervised.identifier]?.point == .remoteMedia
    }

    private func handle(_ message: ExtensionMessage, from identifier: String, generation: Int) {
        switch message {
        case .foundDevice(let device):
            found(device, from: identifier)
        case .updateDevices(let devices):
            for device in devices where registry[device.id]?.extensionIdentifier == identifier {
                guard var changed = registry[device.id] else { continue }
                changed.description = device
                personalise(&changed)
                noteIdentity(changed)
                publish(registry.update(device.id) { $0 = changed })
                if watches[device.id] != nil { follow(device.id) }
            }
        case .lostDevice(let id):
            lost(id, from: identifier)
        case .discoveryFailed(let error):
            problems[identifier] = error
            report(error)
        case .browse(let browser, let request):
            browse(BrowserKey(identifier: identifier, generation: generation, browser: browser), request)
        case .cancelBrowse(let browser):
            let key = BrowserKey(identifier: identifier, generation: generation, browser: browser)
            services.browses.end(key)
        case .announce(let announcement, let request):
            announce(
                BrowserKey(identifier: identifier, generation: generation, browser: announcement), request)
        case .cancelAnnouncement(let announcement):
            let key = BrowserKey(identifier: identifier, generation: generation, browser: announcement)
            services.announcements.end(key)
        case .bluetooth(let request, let order):
            self.order(BrowserKey(identifier: identifier, generation: generation, browser: request), order)
        case .central(let manager, let request):
            serve(BrowserKey(identifier: identifier, generation: generation, browser: manager), request)
        case .volumeChanged(let id, let level, let isMuted):
            guard registry[id]?.extensionIdentifier == identifier else { return }
            publish(
                registry.update(id) {
                    $0.level = level.map { min(1, max(0, $0)) }
                    $0.isMuted = isMuted
                })
            groupHeard(id)
        case .setCredential(let id, let secret):
            guard registry[id]?.extensionIdentifier == identifier else { return }
            credentials.begin(secret, for: id) { number, earlier in
                Task {
                    await earlier?.value
                    await storeCredential(secret, device: id)
                    credentials.ended(number, of: id)
                }
            }
        case .requestPairingCode(let id, let session, let challenge):
            guard owns(identifier, route: session, to: id) else { return }
            outcomes.fulfil(ActivationKey(device: id, session: session), with: .needsCode(challenge))
        case .activatedDevice(let id, let session):
            guard owns(identifier, route: session, to: id) else { return }
            outcomes.fulfil(ActivationKey(device: id, session: session), with: .activated)
        case .failedToActivate(let id, let session, let error):
            guard owns(identifier, route: session, to: id) else { return }
            let isAwaited = outcomes.fulfil(ActivationKey(device: id, session: session), with: .failed(error))
            if !isAwaited, recoveries[id] == nil { routeFailed(id, error) }
        case .started(let session, _, let state):
            guard let route = route(session, of: identifier) else { return }
            playbackStarted(route, state)
        case .playbackChanged(let session, let state):
            guard let route = route(session, of: identifier) else { return }
            playbackChanged(route, state)
        case .sessionFailed(let session, let error):
            guard let route = route(session, of: identifier) else { return }
            playbackFailed(route, error)
        case .sessionEnded(let session, let ending):
            guard let route = route(session, of: identifier) else { return }
            playbackEnded(route, ending)
        case .setAdoptionToken(let session, let token):
            guard let route = route(session, of: identifier) else { return }
            setAdoptionToken(token.isEmpty ? nil : token, route)
        case .receiveData(let data, let application, let session):
            guard let route = route(session, of: identifier) else { return }
            receive(data, from: application, route)
        case .measureQuality(let session, let quality):
            guard let route = route(session, of: identifier) else { return }
            qualityMeasured(route, quality)
        case .reportQuality(let session, let passed):
            guard let route = route(session, of: identifier) else { return }
            deliveryJudged(route, passed: passed)
        case .readMedia(let session, let socket):
            guard let route = route(session, of: identifier) else { return }
            readMedia(route, socket)
        // The content of remote sessions goes to ``RemoteSessions``.
        case .mediaSessionChanged: break
        }
    }

    private func owns(_ identifier: String, route session: String, to device: String) -> Bool {
        routes[device]?.linkSession == session && routes[device]?.extensionIdentifier == identifier
    }

    private func route(_ session: String, of identifier: String) -> Route? {
        routes.values.first {
            $0.linkSession == session && $0.extensionIdentifier == identifier && !groups.isFollower($0.deviceID)
        }
    }

    private func storeCredential(_ secret: Data?, device: String) async {
        do {
            try await store.setCredential(secret, device: device)
            credentials.stored(secret, for: device)
            publish(registry.update(device) { $0.isPaired = secret != nil })
            if let secret { try await withdrawOthers(withBond: secret, than: device) }
        } catch {
            report(HostError(.storageFailed, "A credential cannot be stored: \(error)"))
        }
    }

    private func receive(_ data: Data, from application: String, _ route: Route) {
        if application == HostNames.extensionApplication {
            // Clients that know the device by its identifier from before a merge get the data under that identifier.
            for device in Set([route.deviceID, identities.entry(of: route.deviceID)]) {
                outbox.yield(.routeData(device: device, data))
            }
        } else if let session = route.currentSession {
            outbox.yield(.sessionData(session: session, data))
        }
    }
}
