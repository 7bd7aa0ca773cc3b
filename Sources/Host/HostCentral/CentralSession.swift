import BlueZ
import DBus
import Foundation
import HostInterface
import KernelBluetooth

/// A central manager of an extension, with its scan and connections.
actor CentralSession {
    /// The time limit for the discovery of a device's services.
    private static let resolving = Duration.seconds(30)
    /// The time limit for a device's answer to the request for a channel.
    private static let opening = Duration.seconds(15)
    /// The time without changes after which changed services are reported, because bluetoothd reports them one by one.
    private static let settling = Duration.milliseconds(300)

    private struct Scan {
        let lease: BlueZScan
        let filter: BlueZScanFilter
        /// The reported advertisement of each device, if each is reported once.
        var told: [BlueZIdentifier: BluetoothAdvertisement] = [:]
    }

    private struct Link {
        let identifier: String
        var connecting: Task<Void, Never>?
        /// The services that were last reported; `nil` before the connection was reported.
        var told: [BluetoothServiceRecord]?
        var isTold: Bool { told != nil }
        var settling: Task<Void, Never>?
        /// The last request for the device. Requests run one at a time.
        var last: Task<Void, Never>?
        var followed: [BlueZIdentifier: Task<Void, Never>] = [:]
        var channels = ChannelTable()
    }

    private let client: BlueZClient
    private let ledger: ConnectionLedger
    private let tell: @Sendable (CentralEvent) -> Void
    private var tree = BlueZTree()
    private var state: CentralEvent.State?
    private var wasRunning = false
    private var scan: Scan?
    private var links: [BlueZIdentifier: Link] = [:]

    init(_ client: BlueZClient, _ ledger: ConnectionLedger, tell: @escaping @Sendable (CentralEvent) -> Void) {
        self.client = client
        self.ledger = ledger
        self.tell = tell
    }

    // MARK: State of bluetoothd

    func take(_ update: BlueZUpdate) {
        tree = update.tree
        for device in links.keys { check(device) }
        if let new = CentralEvent.State(update, wasRunning: wasRunning), new != state {
            state = new
            if new != .poweredOn { scan = nil }
            var event = CentralEvent(.state)
            event.state = new
            tell(event)
        }
        wasRunning = wasRunning || update.state == .running
        if scan != nil { for id in update.changed { report(id) } }
    }

    private func report(_ id: BlueZIdentifier) {
        // One without a strength is remembered, and not heard now.
        guard let scan, let device = tree.device(id), device.signalStrength != nil, scan.filter.lets(device),
            let identifier = DeviceIdentifier.make(device)
        else { return }
        let advertisement = BluetoothAdvertisement(device)
        // A name or a service that comes later, as by a scan response, is worth telling; a strength is not.
        var known = scan.told[id]
        known?.signal = advertisement.signal
        guard scan.filter.reportsDuplicates || known != advertisement else { return }
        self.scan?.told[id] = advertisement
        var event = CentralEvent(.heard)
        event.device = identifier
        event.advertisement = advertisement
        tell(event)
    }

    /// Reports that a device is connected or disconnected.
    private func check(_ id: BlueZIdentifier) {
        guard let link = links[id] else { return }
        let device = tree.device(id)
        if link.isTold {
            if device?.isConnected != true {
                drop(id, BluetoothFailure(.notConnected, "The device is gone."))
            } else if link.told != tree.records(of: id) {
                awaitServices(of: id)
            }
        } else if let device, device.isConnected, device.areServicesResolved {
            tellServices(.connected, of: id)
        }
    }

    private func tellServices(_ kind: CentralEvent.Kind, of id: BlueZIdentifier) {
        let records = tree.records(of: id)
        guard let link = links[id], link.told != records else { return }
        links[id]?.told = records
        var event = CentralEvent(kind)
        event.device = link.identifier
        event.services = records
        tell(event)
    }

    private func awaitServices(of id: BlueZIdentifier) {
        links[id]?.settling?.cancel()
        links[id]?.settling = Task { [weak self] in
            guard (try? await Task.sleep(for: Self.settling)) != nil else { return }
            await self?.tellModified(id)
        }
    }

    private func tellModified(_ id: BlueZIdentifier) {
        // While they are being resolved a further update follows.
        guard tree.device(id)?.areServicesResolved == true, links[id]?.isTold == true else { return }
        tellServices(.modified, of: id)
    }

    // MARK: Requests of the manager

    func perform(_ request: CentralRequest) async {
        switch request.kind {
        case .open, .close: break
        case .scan: await look(request)
        case .stopScan: scan = nil
        case .connect: await connect(request.device)
        case .disconnect:
            guard let id = identifier(of: request.device) else { return }
            drop(id, nil)
        case .read, .write, .command, .follow, .unfollow, .readSignal: ask(request)
        case .openChannel: openChannel(request)
        case .closeChannel:
            guard let id = identifier(of: request.device) else { return }
            links[id]?.channels.close(request.number)
        }
    }

    private func identifier(of device: String) -> BlueZIdentifier? {
        links.first { $0.value.identifier == device }?.key
    }

    private func look(_ request: CentralRequest) async {
        let filter = BlueZScanFilter(
            transport: .lowEnergy, uuids: Set(request.services.compactMap { BluetoothUUID($0) }),
            reportsDuplicates: request.allowsDuplicates)
        scan = Scan(lease: await client.scan(filter), filter: filter)
        for device in tree.devices { report(device.id) }
    }

    private func connect(_ identifier: String) async {
        guard let device = DeviceIdentifier.find(identifier, in: tree) else {
            return disconnected(identifier, BluetoothFailure(.unknownDevice, "The device is no longer known."))
        }
        let id = device.id
        guard links[id] == nil else { return }
        links[id] = Link(identifier: identifier)
        await ledger.retain(id, wasConnected: device.isConnected)
        links[id]?.connecting = Task { [weak self, client] in
            do throws(BlueZError) {
                if !device.isConnected { try await client.connect(id) }
            } catch {
                guard !Task.isCancelled else { return }
                await self?.drop(id, BluetoothFailure(error))
                return
            }
            guard (try? await Task.sleep(for: Self.resolving)) != nil else { return }
            await self?.giveUp(id)
        }
        check(id)
    }

    private func giveUp(_ id: BlueZIdentifier) {
        guard links[id]?.isTold == false else { return }
        drop(id, BluetoothFailure(.timedOut, "The device does not say what it has."))
    }

    /// Ends a connection in any state.
    private func drop(_ id: BlueZIdentifier, _ failure: BluetoothFailure?) {
        guard var link = links.removeValue(forKey: id) else { return }
        link.channels.closeAll()
        link.connecting?.cancel()
        link.settling?.cancel()
        for task in link.followed.values { task.cancel() }
        disconnected(link.identifier, failure)
        Task { [client, ledger] in
            if await ledger.release(id) { try? await client.disconnect(id) }
        }
    }

    private func disconnected(_ identifier: String, _ failure: BluetoothFailure?) {
        var event = CentralEvent(.disconnected)
        event.device = identifier
        event.failure = failure
        tell(event)
    }

    func end() {
        scan = nil
        for id in Array(links.keys) { drop(id, nil) }
    }

    // MARK: Channels

    private func openChannel(_ request: CentralRequest) {
        guard let psm = request.psm, 1...0xFF ~= psm, let id = identifier(of: request.device), let link = links[id],
            link.isTold,
            let device = tree.device(id), let controller = tree.adapter(device.adapter),
            let ends = ChannelEnds(device, controller)
        else {
            return answer(request, failure: BluetoothFailure(.notConnected, "The device is not connected."))
        }
        guard !link.channels.contains(request.number) else { return }
        guard links.values.reduce(0, { $0 + $1.channels.count }) < ChannelTable.most else {
            return answer(request, failure: BluetoothFailure(.tooMany, "Too many channels are open."))
        }
        let opening = Task { [weak self] in
            do throws(LowEnergyChannelError) {
                let channel = try await LowEnergyChannel.open(
                    psm, of: ends.device, from: ends.controller, within: Self.opening)
                await self?.opened(request, channel, of: id)
            } catch {
                await self?.opened(request, nil, of: id, BluetoothFailure(error))
            }
        }
        links[id]?.channels.begin(request.number, opening)
    }

    private func opened(
        _ request: CentralRequest, _ channel: LowEnergyChannel?, of id: BlueZIdentifier,
        _ failure: BluetoothFailure? = nil
    ) {
        let descriptor = channel.map { DBusDescriptor(received: $0.descriptor) }
        guard links[id]?.channels.end(request.number, descriptor) == true else {
            return answer(request, failure: BluetoothFailure(.cancelled, "The channel is no longer wanted."))
        }
        var event = CentralEvent(.answer)
        event.number = request.number
        event.channel = descriptor
        event.longestPacket = channel?.longestPacket
        event.failure = failure
        tell(event)
    }

    // MARK: Values

    private func ask(_ request: CentralRequest) {
        let attribute = BlueZIdentifier(rawValue: request.attribute)
        guard let (id, link) = links.first(where: { $0.value.identifier == request.device }), link.isTold,
            request.kind == .readSignal || attribute.isPart(of: id) && tree.contains(attribute)
        else {
            return answer(request, failure: BluetoothFailure(.notConnected, "The device is not connected."))
        }
        links[id]?.last = Task { [weak self] in
            await link.last?.value
            await self?.carryOut(request, attribute, of: id)
        }
    }

    private func carryOut(_ request: CentralRequest, _ attribute: BlueZIdentifier, of id: BlueZIdentifier) async {
        do throws(BlueZError) {
            switch request.kind {
            case .read: answer(request, value: Data(try await client.readValue(attribute)))
            case .write:
                try await client.writeValue([UInt8](request.value), attribute)
                answer(request)
            case .command:
                try await client.writeValue([UInt8](request.value), attribute, .command)
                answer(request)
            case .follow:
                try await follow(attribute, of: id)
                answer(request)
            case .unfollow:
                links[id]?.followed.removeValue(forKey: attribute)?.cancel()
                answer(request)
            default: answer(request, signal: tree.device(id)?.signalStrength)
            }
        } catch {
            answer(request, failure: BluetoothFailure(error))
        }
    }

    private func follow(_ attribute: BlueZIdentifier, of id: BlueZIdentifier) async throws(BlueZError) {
        guard let link = links[id], link.followed[attribute] == nil else { return }
        let values = try await client.values(of: attribute)
        guard links[id] != nil else { return }
        links[id]?.followed[attribute] = Task { [tell] in
            for await value in values {
                var event = CentralEvent(.changed)
                event.device = link.identifier
                event.attribute = attribute.rawValue
                event.value = Data(value)
                tell(event)
            }
        }
    }

    private func answer(
        _ request: CentralRequest, value: Data? = nil, signal: Int? = nil, failure: BluetoothFailure? = nil
    ) {
        var event = CentralEvent(.answer)
        event.number = request.number
        event.value = value
        event.signal = signal
        event.failure = failure
        tell(event)
    }
}
