import HostClient
import HostInterface

/// What the page shows, as a value: the daemon's objects as JSON, and what changed since the last time.
struct PageState: Sendable {
    /// The maps of the state, by the daemon's kinds of objects.
    enum Map: String, Sendable, CaseIterable { case devices, sessions, media, extensions, sinks, routes, prompts }
    /// The members of the state that are sent as a whole.
    enum Whole: String, Sendable, CaseIterable { case nowPlaying, manager, host, applications, push, online }

    private(set) var view = HostView()
    private var maps: [Map: [String: String]] = [:]
    private var wholes: [Whole: String] = [:]
    private var changedMaps: [Map: [String: String?]] = [:]
    private var changedWholes: Set<Whole> = []
    private var findings: [String: PageFinding] = [:]

    var hasChanges: Bool { !changedMaps.isEmpty || !changedWholes.isEmpty }

    mutating func apply(_ event: HostEvent) {
        view.apply(event)
        switch event {
        case .device(let device): show(device)
        case .deviceRemoved(let device):
            findings[device.id] = nil
            set(.devices, device.id, nil)
        case .session(let session): set(.sessions, session.id, PageJSON.text(session))
        case .sessionRemoved(let session): set(.sessions, session.id, nil)
        case .extension(let status): set(.extensions, status.id, PageJSON.text(status))
        case .extensionRemoved(let status): set(.extensions, status.id, nil)
        case .mediaSession(let session): set(.media, session.id, PageJSON.text(session))
        case .mediaSessionRemoved(let session): set(.media, session.id, nil)
        case .nowPlaying(let status): set(.nowPlaying, PageJSON.text(NowPlayingPart(status)))
        case .manager(let manager):
            set(.manager, PageJSON.text(ManagerPart(manager)))
            set(.host, PageJSON.text(HostPart(name: HostPart.ownName, version: manager.version)))
        case .ready: set(.online, "true")
        }
    }

    private mutating func show(_ device: ClientDevice) {
        if device.availability == "ready" { findings[device.id] = nil }
        set(.devices, device.id, PageJSON.text(DevicePart(device: device, finding: findings[device.id])))
    }

    /// Shows why a device isn't ready.
    mutating func set(_ finding: PageFinding?, of device: String) {
        guard let known = view.devices[device], known.availability != "ready", findings[device] != finding else {
            return
        }
        findings[device] = finding
        show(known)
    }

    mutating func set(_ map: Map, _ key: String, _ json: String?) {
        guard maps[map]?[key] != json else { return }
        maps[map, default: [:]][key] = json
        changedMaps[map, default: [:]].updateValue(json, forKey: key)
    }

    /// Replaces all entries of a map.
    mutating func replace(_ map: Map, with entries: [String: String]) {
        for key in (maps[map] ?? [:]).keys where entries[key] == nil { set(map, key, nil) }
        for (key, json) in entries { set(map, key, json) }
    }

    mutating func set(_ whole: Whole, _ json: String) {
        guard wholes[whole] != json else { return }
        wholes[whole] = json
        changedWholes.insert(whole)
    }

    /// Takes what changed since the last call, as the members of a JSON object; prompts apart, as not every browser gets
    /// them.
    mutating func takeChanges() -> (all: String?, prompts: String?) {
        var members: [String: String] = [:]
        for (map, entries) in changedMaps where map != .prompts {
            members[map.rawValue] = PageJSON.object(entries.mapValues { $0 ?? "null" })
        }
        for whole in changedWholes { members[whole.rawValue] = wholes[whole] ?? "null" }
        let prompts = changedMaps[.prompts].map { PageJSON.object($0.mapValues { $0 ?? "null" }) }
        changedMaps = [:]
        changedWholes = []
        return (
            members.isEmpty ? nil : PageJSON.fragment(members),
            prompts.map { PageJSON.fragment([Map.prompts.rawValue: $0]) }
        )
    }

    /// Returns everything, as the members of a JSON object.
    ///
    /// - Parameter others: Members that depend on the browser.
    func snapshot(includingPrompts: Bool, others: [String: String]) -> String {
        var members = others
        for map in Map.allCases {
            members[map.rawValue] = PageJSON.object(map == .prompts && !includingPrompts ? [:] : maps[map] ?? [:])
        }
        for whole in Whole.allCases { members[whole.rawValue] = wholes[whole] ?? whole.empty }
        return PageJSON.fragment(members)
    }
}

extension PageState.Whole {
    /// The value before the daemon said anything.
    fileprivate var empty: String {
        switch self {
        case .applications: "[]"
        case .online: "false"
        case .nowPlaying: #"{"pausesOthers":false,"systemPrimary":null}"#
        case .manager: #"{"problems":[],"settled":false}"#
        case .host: #"{"name":"","version":""}"#
        case .push: #"{"address":"","reason":"","state":"none"}"#
        }
    }
}
