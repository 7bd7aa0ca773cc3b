import ArgumentParser
import CDispatchPacing  // for its effect

@main
struct MdhostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mdhost", abstract: "Find the playback devices around you, pair with them and play to them.",
        discussion: """
            Exit codes: 0 done, 1 failed, 2 no such device, session or extension, 3 ambiguous name, 4 authorization, \
            5 unreachable, 6 unsupported, 7 daemon unavailable, 64 usage, 130 interrupted.
            """,
        version: Version.current,
        groupedSubcommands: [
            CommandGroup(
                name: "Devices",
                subcommands: [
                    DiscoverCommand.self, DevicesCommand.self, DeviceCommand.self, PairCommand.self, ForgetCommand.self,
                ]),
            CommandGroup(
                name: "Playback",
                subcommands: [
                    PlayCommand.self, StreamCommand.self, ScreenCommand.self, PauseCommand.self, ResumeCommand.self,
                    StopCommand.self,
                    SeekCommand.self, ScanCommand.self, SpeedCommand.self, TracksCommand.self, ChaptersCommand.self,
                    LikeCommand.self, DislikeCommand.self, VolumeCommand.self, MuteCommand.self, GroupCommand.self,
                    SinkCommand.self,
                    SessionsCommand.self, StatusCommand.self, RouteCommand.self, NowPlayingCommand.self,
                ]),
            CommandGroup(
                name: "System",
                subcommands: [
                    PageCommand.self, ExtensionCommand.self, DemoCommand.self, PushCommand.self,
                    CertificateCommand.self,
                    DoctorCommand.self, DaemonCommand.self,
                    CompletionCommand.self,
                ]),
        ])
}

/// The version of this build.
enum Version {
    static let current = "0.1.0"
}
