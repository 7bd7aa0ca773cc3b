import ArgumentParser
import HostClient
import HostInterface

struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Play on several devices together.",
        discussion: """
            A device joins the playback of another one, and the group lasts until that ends. Each member stands for its \
            group: pause, seek, stop and play apply to all of them, whichever you name. To start on several devices: \
            mdhost play DEVICE --with OTHER. To set the volume of all: mdhost volume DEVICE 40 --group.
            """,
        subcommands: [List.self, Join.self, Leave.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the groups and their devices.")

        @OptionGroup var common: CommonOptions

        /// `group list` with `--json`.
        private struct Group: Encodable {
            var devices: [String]
            var volume: Double?
            var session: String?
        }

        func run() async throws {
            try await common.perform { output in
                let connection = try await HostConnection()
                let view = connection.view
                func session(of group: [ClientDevice]) -> ClientSession? {
                    view.sortedSessions.first { session in session.device == group.first?.path && !session.isOver }
                }
                if output.isJSON {
                    try output.json(
                        view.groups.map { group in
                            Group(
                                devices: group.map(\.id), volume: group.first?.groupVolume,
                                session: session(of: group)?.id)
                        })
                } else if view.groups.isEmpty {
                    output.notice("There are no groups.")
                } else {
                    let width = Terminal.output.isInteractive ? Terminal.output.width : .max
                    let table = GroupTable(groups: view.groups.map { ($0, session(of: $0)) })
                    for line in table.lines(width: width) { output.line(line) }
                }
                await connection.close()
            }
        }
    }

    struct Join: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join", abstract: "Add a device to the playback of another one.")

        @OptionGroup var common: CommonOptions

        @Argument(help: "Name, unique beginning of a name, or id of the device that joins.", completion: .deviceNames)
        var device: String

        @Argument(help: "The device that plays, or any member of its group.", completion: .deviceNames)
        var other: String

        func run() async throws {
            try await common.perform { output in
                var connection = try await HostConnection()
                let device = try await connection.device(named: device)
                let other = try await connection.device(named: other)
                do throws(HostError) {
                    try await connection.settle { [client = connection.client] () throws(HostError) in
                        try await client.join(device.path, other.path)
                    }
                } catch {
                    throw Self.explained(error, device, other, connection.view)
                }
                if output.isJSON {
                    struct Result: Encodable { var device: String, joined: String }
                    try output.json(Result(device: device.id, joined: other.id))
                } else {
                    output.line(DisplayText.clean("\(device.name) joined \(other.name)."))
                }
                await connection.close()
            }
        }

        /// Returns the error, with a hint to swap the devices if only the first one plays.
        static func explained(
            _ error: HostError, _ device: ClientDevice, _ other: ClientDevice, _ view: HostView
        ) -> HostError {
            func plays(_ device: ClientDevice) -> Bool {
                view.sortedSessions.contains { !$0.isOver && $0.devices.contains(device.path) }
            }
            guard error.code == .noSuchSession, plays(device), !plays(other) else { return error }
            return HostError(
                .noSuchSession, "\(other.name) plays nothing that \(device.name) could join.",
                remedy: "The other way round: `mdhost group join \"\(other.name)\" \"\(device.name)\"`.")
        }
    }

    struct Leave: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave", abstract: "Remove a device from its group; the others play on.")

        @OptionGroup var common: CommonOptions

        @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
        var device: String

        func run() async throws {
            try await common.perform { output in
                var connection = try await HostConnection()
                let device = try await connection.device(named: device)
                try await connection.client.leave(device.path)
                if output.isJSON {
                    struct Result: Encodable { var device: String, left: Bool }
                    try output.json(Result(device: device.id, left: true))
                } else {
                    output.line(DisplayText.clean("\(device.name) left the group. The others play on."))
                }
                await connection.close()
            }
        }
    }
}

/// Groups as a table for people: a row for each member, the leader first.
struct GroupTable {
    let groups: [(members: [ClientDevice], session: ClientSession?)]

    func lines(width: Int) -> [String] {
        let rows = groups.flatMap { members, session in
            members.enumerated().map { index, device in
                [
                    Table.Cell(DisplayText.clean(device.name), index == 0 ? .heading : nil),
                    DeviceTable.state(device),
                    Table.Cell(device.isMuted ? "muted" : device.volume.map(StatusCommand.percent) ?? "", .dim),
                    Table.Cell(index == 0 ? device.groupVolume.map(StatusCommand.percent) ?? "" : "", .dim),
                    Table.Cell(index == 0 ? DisplayText.clean(session.map(Self.title) ?? "") : ""),
                ]
            }
        }
        return Table(headings: ["GROUP", "STATE", "VOLUME", "ALL", "TITLE"], rows: rows).lines(width: width) { $0($1) }
    }

    private static func title(_ session: ClientSession) -> String {
        session.title.isEmpty ? session.source : session.title
    }
}
