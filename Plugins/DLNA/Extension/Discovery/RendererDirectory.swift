import AddressPolicy
import DLNAProtocol
import Foundation

/// The renderers on the network, from their announcements and descriptions.
@MainActor
final class RendererDirectory {
    /// A change of a renderer.
    enum Change {
        case found(RendererDetails)
        /// The renderer moved, restarted, or changed its description.
        case changed(RendererDetails)
        case lost(RendererDetails)
    }

    /// An announcement: a device's name with one of its types.
    struct Announcement: Hashable {
        var usn: String
        var location: URL
        /// The value of `BOOTID.UPNP.ORG`. Another value means that the device restarted.
        var bootIdentifier: String?
        /// The numeric addresses from which the device answers, or the location's host if none is known.
        var addresses: [String]
        var sender: String { addresses.first ?? "" }

        init(usn: String, location: URL, bootIdentifier: String?, addresses: [String] = []) {
            self.usn = usn
            self.location = location
            self.bootIdentifier = bootIdentifier
            self.addresses = addresses.isEmpty ? [location.host(percentEncoded: false) ?? ""] : addresses
        }
    }

    private struct Entry {
        var details: RendererDetails
        /// The location as announced. Its host can be a name.
        var location: URL
        var bootIdentifier: String?
        var announcements: Set<String>
    }

    private static let attemptPauses: [Duration] = [.seconds(1), .seconds(3)]
    /// The time limit for a description and everything that belongs to it, because the limits of the individual answers
    /// could add up to minutes.
    private static let readingTime = Duration.seconds(10)

    private let network: @MainActor () -> RendererNetwork
    private let report: @MainActor (Change) -> Void
    private var entries: [String: Entry] = [:]
    /// The newest announcement by its name, for comparison with an answer that took long.
    private var announced: [String: Announcement] = [:]
    private var readings: [URL: Task<[RendererDetails], any Error>] = [:]
    private var pending = PendingAnnouncements()
    private let slots: ReadingSlots

    /// - Parameters:
    ///   - network: Evaluated at the first announcement.
    ///   - bounds: The limits on descriptions read at a time.
    ///   - report: Called for every change.
    init(
        network: @autoclosure @escaping @MainActor () -> RendererNetwork,
        bounds: ReadingSlots.Bounds = ReadingSlots.Bounds(), report: @escaping @MainActor (Change) -> Void
    ) {
        self.network = network
        self.report = report
        slots = ReadingSlots(bounds: bounds)
    }

    func details(of identifier: UUID) -> RendererDetails? {
        entries.values.first { $0.details.description.identifier == identifier }?.details
    }

    /// A device announced itself, for the first time or again.
    func announce(_ announcement: Announcement) {
        guard let name = UniqueServiceName(announcement.usn) else { return }
        let key = name.deviceName.lowercased()
        let known = announced.updateValue(announcement, forKey: announcement.usn)
        if isKnown(announcement, key: key) { return }
        // Being read already.
        if known == announcement, readings[announcement.location] != nil { return }
        guard pending.add(announcement, of: key) else { return }
        Task {
            while let next = pending.next(of: key) {
                // Superseded, withdrawn, or answered by the description that was read for another of its names.
                guard announced[next.usn] == next, !isKnown(next, key: key) else { continue }
                await read(next, key: key)
            }
        }
    }

    /// Returns a Boolean value that indicates whether a device is known as announced, and records the announcement if
    /// so.
    private func isKnown(_ announcement: Announcement, key: String) -> Bool {
        guard var entry = entries[key], entry.location == announcement.location,
            entry.bootIdentifier == announcement.bootIdentifier
        else { return false }
        let isBack = entry.announcements.isEmpty
        entry.announcements.insert(announcement.usn)
        entries[key] = entry
        if isBack { report(.found(entry.details)) }
        return true
    }

    /// An announcement was withdrawn, or ran out.
    func withdraw(usn: String) {
        announced[usn] = nil
        guard let key = UniqueServiceName(usn)?.deviceName.lowercased(), var entry = entries[key] else { return }
        entry.announcements.remove(usn)
        guard entry.announcements.isEmpty else {
            entries[key] = entry
            return
        }
        entries[key] = nil
        report(.lost(entry.details))
    }

    /// Discards all announcements. Known devices remain, and are reported again with their next announcement.
    func suspend() {
        announced = [:]
        for key in entries.keys { entries[key]?.announcements = [] }
    }

    /// Reads a renderer at the address at which it was last discovered.
    ///
    /// - Throws: ``DeviceFailure``; `unreadable` with `notRenderer` if another device has the address now.
    func read(_ identifier: UUID, at location: URL) async throws(DeviceFailure) -> RendererDetails {
        let found: [RendererDetails]
        do { found = try await details(at: location) } catch {
            throw error as? DeviceFailure ?? (error is DeadlineExceeded ? .timedOut : .cancelled)
        }
        guard let details = found.first(where: { $0.description.identifier == identifier }) else {
            throw .unreadable(.notRenderer)
        }
        return details
    }

    // MARK: Inside

    private func read(_ announcement: Announcement, key: String) async {
        if entries[key] == nil, Self.isIPv6(announcement.location) {
            // It answers on IPv4 too, mostly, within the second that a search gives it: see `isBetter`.
            guard (try? await network().time.sleep(Self.headStart)) != nil, announced[announcement.usn] == announcement
            else { return }
        }
        if await stays(key, against: announcement) { return }
        for pause in Self.attemptPauses + [nil] {
            let found = try? await slots.run(for: announcement.sender) {
                // It may have waited long.
                guard announced[announcement.usn] == announcement else { throw DeviceFailure.cancelled }
                return try await details(at: announcement.pinnedLocation())
            }
            if let found {
                return take(found, for: announcement, key: key)
            }
            // A device announces itself before its server is up.
            guard let pause, announced[announcement.usn] == announcement else { return }
            guard (try? await network().time.sleep(pause)) != nil else { return }
        }
    }

    /// Returns a Boolean value that indicates whether a device that announces another address still answers at the
    /// known one. It has several addresses, or its maker gave two devices one name; alternating between them would help
    /// no one.
    private func stays(_ key: String, against announcement: Announcement) async -> Bool {
        guard let known = entries[key], known.location != announcement.location,
            !Self.isBetter(announcement.location, than: known.details.description.location),
            let found = try? await slots.run(
                for: announcement.sender, { try await details(at: known.details.description.location) }),
            found.contains(where: { $0.description.deviceName.lowercased() == key })
        else { return false }
        entries[key]?.announcements.insert(announcement.usn)
        return true
    }

    /// IPv4 before IPv6: Rygel 0.42 ends when it is handed an IPv4 address over IPv6, as addresses of media often are.
    private static func isBetter(_ location: URL, than known: URL) -> Bool {
        isIPv6(known) && !isIPv6(location)
    }

    private static func isIPv6(_ url: URL) -> Bool { url.host(percentEncoded: false)?.contains(":") ?? false }

    /// The time for which the IPv6 address of a new device waits for an IPv4 address.
    private static let headStart = Duration.milliseconds(700)

    private func take(_ found: [RendererDetails], for announcement: Announcement, key: String) {
        guard announced[announcement.usn] == announcement else { return }
        guard let details = found.first(where: { $0.description.deviceName.lowercased() == key }) else { return }
        let old = entries[key]
        entries[key] = Entry(
            details: details, location: announcement.location, bootIdentifier: announcement.bootIdentifier,
            announcements: (old?.announcements ?? []).union([announcement.usn]))
        if let old {
            let isSame = old.details == details && old.bootIdentifier == announcement.bootIdentifier
            if !isSame { report(.changed(details)) }
        } else {
            report(.found(details))
        }
    }

    private func details(at location: URL) async throws -> [RendererDetails] {
        if let reading = readings[location] { return try await reading.value }
        let transport = network().transport
        let reading = Task { try await withDeadline(Self.readingTime) { try await Self.read(location, transport) } }
        readings[location] = reading
        defer { readings[location] = nil }
        return try await reading.value
    }

    private nonisolated static func read(_ location: URL, _ transport: any DeviceTransport) async throws
        -> [RendererDetails]
    {
        let document = try await transport.document(at: location)
        let descriptions: [RendererDescription]
        do {
            descriptions = try RendererDescription.renderers(in: document.body, location: document.url)
        } catch {
            throw DeviceFailure.unreadable(error)
        }
        // One after the other: how many there are, the device decides.
        var found: [RendererDetails] = []
        for description in descriptions {
            found.append(await RendererDetails.reading(description, transport: transport))
        }
        return found
    }
}
