public import Foundation
import MediaDevice

/// The devices that announce themselves by SSDP and describe themselves in a document of their own.
///
/// Pass the announcements to ``update(_:)``, for example in ``DiscoveryProtocol/identities(of:)``, and report the changes in
/// ``DiscoveryProtocol/deviceChanges()``. A description is read again when a device moved or restarted. Nobody vouches for
/// announcements, so only addresses of the sender and its network are read, a few at a time, and a sender with many
/// announcements delays only itself.
@MainActor
public final class DescribedDevices<Description: DeviceDescription> {
    /// A change of a device.
    public enum Change: Sendable {
        /// The device is there, for the first time or again.
        case found(Description)
        /// The device moved, restarted, or changed its description.
        case changed(Description)
        /// No announcement of the device is left.
        case lost(Description)
    }

    private struct Entry {
        var description: Description
        /// The location as announced. Its host can be a name.
        var location: URL
        var bootIdentifier: String?
        var announcements: Set<String>
    }

    private static var attemptPauses: [Duration] { [.seconds(1), .seconds(3)] }
    /// The time limit for a description and everything that belongs to it, because the limits of the individual answers
    /// could add up to minutes.
    private static var readingTime: Duration { .seconds(10) }

    private let clock: any Clock<Duration>
    private let fetch: @Sendable (URL) async throws -> [Description]
    private let report: @MainActor (Change) -> Void
    private var current: Set<Sighting> = []
    private var entries: [String: Entry] = [:]
    /// The newest announcement by its name, for comparison with an answer that took long.
    private var announced: [String: DeviceAnnouncement] = [:]
    private var readings: [URL: Task<[Description], any Error>] = [:]
    private var pending = PendingAnnouncements()
    private let slots = ReadingSlots()

    /// Creates a list without devices.
    ///
    /// - Parameters:
    ///   - clock: The clock for the pauses between attempts.
    ///   - fetch: A function that fetches the document at a URL and returns the descriptions in it; any that the protocol
    ///     can't use are left out. It has ten seconds, then its task is cancelled.
    ///   - report: A function that receives every change.
    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        fetch: @escaping @Sendable (URL) async throws -> [Description], report: @escaping @MainActor (Change) -> Void
    ) {
        self.clock = clock
        self.fetch = fetch
        self.report = report
    }

    /// Returns the description of a device that was found; `nil` for any other.
    public func description(of identifier: UUID) -> Description? {
        entries.values.first { $0.description.identifier == identifier }?.description
    }

    /// Replaces all announcements.
    public func update(_ sightings: [Sighting]) {
        for name in Set(current.map(\.name)).subtracting(sightings.map(\.name)) { withdraw(usn: name) }
        for sighting in sightings where !current.contains(sighting) { DeviceAnnouncement(sighting).map(announce) }
        current = Set(sightings)
    }

    /// Discards all announcements, for a search that starts anew. Known devices remain, and are reported again with their
    /// next announcement.
    public func reset() {
        current = []
        announced = [:]
        for key in entries.keys { entries[key]?.announcements = [] }
    }

    /// Reads the description of a device at the address at which it was last discovered.
    ///
    /// - Returns: The description; `nil` if another device has the address now.
    /// - Throws: The error of the function that fetches; a `MediaDeviceError` with the detail `timedOut` if it took too
    ///   long.
    public func read(_ identifier: UUID, at location: URL) async throws -> Description? {
        do {
            return try await descriptions(at: location).first { $0.identifier == identifier }
        } catch is DeadlineExceeded {
            throw MediaDeviceError(
                .connectionFailed, detail: .timedOut, reason: "The device didn't describe itself in time.")
        }
    }

    // MARK: Announcements

    /// A device announced itself, for the first time or again.
    func announce(_ announcement: DeviceAnnouncement) {
        guard let key = DeviceAnnouncement.deviceKey(of: announcement.usn) else { return }
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

    /// An announcement was withdrawn, or ran out.
    func withdraw(usn: String) {
        announced[usn] = nil
        guard let key = DeviceAnnouncement.deviceKey(of: usn), var entry = entries[key] else { return }
        entry.announcements.remove(usn)
        guard entry.announcements.isEmpty else {
            entries[key] = entry
            return
        }
        entries[key] = nil
        report(.lost(entry.description))
    }

    /// Returns a Boolean value that indicates whether a device is known as announced, and records the announcement if
    /// so.
    private func isKnown(_ announcement: DeviceAnnouncement, key: String) -> Bool {
        guard var entry = entries[key], entry.location == announcement.location,
            entry.bootIdentifier == announcement.bootIdentifier
        else { return false }
        let isBack = entry.announcements.isEmpty
        entry.announcements.insert(announcement.usn)
        entries[key] = entry
        if isBack { report(.found(entry.description)) }
        return true
    }

    // MARK: Descriptions

    private func read(_ announcement: DeviceAnnouncement, key: String) async {
        if entries[key] == nil, Self.isIPv6(announcement.location) {
            // It answers on IPv4 too, mostly, within the second that a search gives it: see `isBetter`.
            guard (try? await clock.sleep(for: Self.headStart)) != nil, announced[announcement.usn] == announcement
            else { return }
        }
        if await stays(key, against: announcement) { return }
        for pause in Self.attemptPauses + [nil] {
            let found = try? await slots.run(for: announcement.sender) {
                // It may have waited long.
                guard announced[announcement.usn] == announcement else { throw CancellationError() }
                return try await descriptions(at: announcement.pinnedLocation())
            }
            if let found {
                return take(found, for: announcement, key: key)
            }
            // A device announces itself before its server is up.
            guard let pause, announced[announcement.usn] == announcement else { return }
            guard (try? await clock.sleep(for: pause)) != nil else { return }
        }
    }

    /// Returns a Boolean value that indicates whether a device that announces another address still answers at the
    /// known one. It has several addresses, or its maker gave two devices one name; alternating between them would help
    /// no one.
    private func stays(_ key: String, against announcement: DeviceAnnouncement) async -> Bool {
        guard let known = entries[key], known.location != announcement.location,
            !Self.isBetter(announcement.location, than: known.description.location),
            let found = try? await slots.run(
                for: announcement.sender, { try await descriptions(at: known.description.location) }),
            found.contains(where: { $0.deviceName.lowercased() == key })
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
    private static var headStart: Duration { .milliseconds(700) }

    private func take(_ found: [Description], for announcement: DeviceAnnouncement, key: String) {
        guard announced[announcement.usn] == announcement else { return }
        guard let description = found.first(where: { $0.deviceName.lowercased() == key }) else { return }
        let old = entries[key]
        entries[key] = Entry(
            description: description, location: announcement.location, bootIdentifier: announcement.bootIdentifier,
            announcements: (old?.announcements ?? []).union([announcement.usn]))
        if let old {
            let isSame = old.description == description && old.bootIdentifier == announcement.bootIdentifier
            if !isSame { report(.changed(description)) }
        } else {
            report(.found(description))
        }
    }

    private func descriptions(at location: URL) async throws -> [Description] {
        if let reading = readings[location] { return try await reading.value }
        let reading = Task { [fetch] in try await withDeadline(Self.readingTime) { try await fetch(location) } }
        readings[location] = reading
        defer { readings[location] = nil }
        return try await reading.value
    }
}
