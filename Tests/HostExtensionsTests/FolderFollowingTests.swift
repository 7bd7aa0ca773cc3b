import Foundation
import HostCore
import HostInterface
import Testing

@testable import HostExtensions

/// Extensions that are installed, replaced and removed while the host runs, with a real disk and real processes.
@Suite(.timeLimit(.minutes(2))) struct FolderFollowingTests {
    private let bundle: FaultyBundle
    private let supervisor: ExtensionSupervisor
    private let identifier = "org.example.faulty"

    init() throws {
        let bundle = try FaultyBundle("good")
        self.bundle = bundle
        // The second folder is not there yet, nor is the one above it.
        let places = bundle.places + [.init(path: bundle.folder.path + "/later/extensions")]
        supervisor = bundle.supervisor(catalog: ExtensionCatalog.scan(places)) { $0.folders = { places } }
    }

    private func follow(patience: Duration = .milliseconds(400)) async {
        var policy = ChangeSettling.Policy()
        policy.quiet = .milliseconds(100)
        policy.patience = patience
        await supervisor.followFolders(policy: policy)
    }

    private func write(_ name: String, to place: String = "", identifier: String) throws {
        var info = InfoPlist()
        info.identifier = "<string>\(identifier)</string>"
        info.executable = "<string>program</string>"
        try bundle.folder.write(info.text, to: "\(place)\(name).mdext/Info.plist")
    }

    /// A program of its own: extensions may not be allowed to run those of others.
    private func writeProgram(_ name: String, to place: String = "") throws {
        let folder = "\(bundle.folder.path)/\(place)\(name).mdext"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: FaultyBundle.buildFolder + "/FaultyExtension", toPath: folder + "/program")
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: bundle.folder.path + "/" + name)
    }

    @Test func aNewOneAppearsAndARemovedOneEndsWhileAnotherRunsOn() async throws {
        await follow()
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        let running = try #require(await events.nextStatus { $0.state == .running })

        try write("new", identifier: "org.example.new")
        try writeProgram("new")
        #expect(await events.nextStatus { $0.id == "org.example.new" }?.state == .idle)
        await supervisor.acquire("org.example.new", reason: "lease")
        let new = try #require(await events.nextStatus { $0.id == "org.example.new" && $0.state == .running })

        try remove("new.mdext")
        #expect(await events.nextEvent { $0.event == .removed }?.identifier == "org.example.new")
        let processID = try #require(new.processID)
        while isAlive(processID) { await Task.yield() }
        #expect(await supervisor.statuses() == [running])
        await supervisor.stopAll()
    }

    @Test func aFolderThatComesLaterIsNoticedAndOneThatGoes() async throws {
        await follow()
        var events = supervisor.events.makeAsyncIterator()
        for _ in 0..<2 {
            try writeProgram("x", to: "later/extensions/")
            try write("x", to: "later/extensions/", identifier: "org.example.later")
            #expect(await events.nextStatus { $0.id == "org.example.later" } != nil)
            try remove("later")
            #expect(await events.nextEvent { $0.event == .removed }?.identifier == "org.example.later")
        }
        await supervisor.stopAll()
    }

    @Test func aReplacedProgramAndAChangedManifestAreLoaded() async throws {
        try write("own", identifier: "org.example.own")
        try writeProgram("own")
        await follow()
        var events = supervisor.events.makeAsyncIterator()
        #expect(await events.nextStatus { $0.id == "org.example.own" } != nil)
        await supervisor.acquire("org.example.own", reason: "lease")
        let first = try #require(await events.nextStatus { $0.id == "org.example.own" && $0.state == .running })
        try remove("own.mdext/program")
        try writeProgram("own")
        // A copy that takes its time may be tried before it is whole.
        let second = try #require(await events.nextStatus { $0.state == .running && $0.generation > first.generation })
        #expect(second.processID != first.processID)

        var info = InfoPlist()
        info.identifier = "<string>org.example.own</string>"
        info.executable = "<string>program</string>"
        info.displayName = "<string>Better</string>"
        try bundle.folder.write(info.text, to: "own.mdext/Info.plist")
        let third = await events.nextStatus { $0.state == .running && $0.generation > second.generation }
        #expect(third?.name == "Better")
        await supervisor.stopAll()
    }

    @Test func aHalfCopiedOneIsNotBrokenUntilItStaysSo() async throws {
        await follow(patience: .seconds(30))
        var events = supervisor.events.makeAsyncIterator()
        // A search that finds the half of it is made before the other half comes.
        try write("half", identifier: "org.example.half")
        try write("whole", identifier: "org.example.whole")
        try writeProgram("whole")
        #expect(await events.nextStatus { _ in true }?.id == "org.example.whole")
        #expect(await supervisor.statuses().allSatisfy { $0.state != .invalidManifest })
        try writeProgram("half")
        #expect(await events.nextStatus { _ in true }?.id == "org.example.half")
        await supervisor.stopAll()
    }

    @Test func aBrokenOneIsToldAndGoodOnceItIsCorrected() async throws {
        await follow()
        var events = supervisor.events.makeAsyncIterator()
        try bundle.folder.write("nonsense", to: "b.mdext/Info.plist")
        let status = await events.nextStatus { $0.state == .invalidManifest }
        #expect(status?.id == "b.mdext" && status?.lastError?.contains("Info.plist") == true)
        try write("b", identifier: "org.example.b")
        try writeProgram("b")
        #expect(await events.nextEvent { $0.event == .removed }?.identifier == "b.mdext")
        #expect(await events.nextStatus { $0.id == "org.example.b" }?.state == .idle)
        await supervisor.stopAll()
    }

    @Test func aFloodOfOtherFilesChangesNothing() async throws {
        await follow()
        var events = supervisor.events.makeAsyncIterator()
        // More than the kernel keeps for a reader that does not read all the time.
        for number in 0..<20_000 {
            let path = bundle.folder.path + "/noise-\(number)"
            close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
            unlink(path)
        }
        try write("after", identifier: "org.example.after")
        try writeProgram("after")
        #expect(await events.nextStatus { _ in true }?.id == "org.example.after")
        await supervisor.stopAll()
    }
}

@Suite struct WatchPlanTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func onlyWhatMattersIsWatched() throws {
        try folder.write(InfoPlist().text, to: "build/mdhost_Good.resources/Good.mdext/Info.plist")
        try folder.write("#!/bin/sh\n", to: "build/good", mode: 0o755)
        let build = folder.path + "/build"
        let places: [ExtensionCatalog.Folder] = [
            .init(path: build, executableFolder: build),
            .init(path: build + "/mdhost_Good.resources", executableFolder: build),
            .init(path: folder.path + "/a/b/c"),
        ]
        let plan = WatchPlan(places, catalog: .scan(places))
        let programs = try #require(plan.interests[build])
        #expect(programs.includes("good") && programs.includes("x.mdext") && programs.includes("New.resources"))
        #expect(programs.hasFiles && !programs.includes("good.o") && !programs.includes("mdhost"))
        #expect(plan.interests[build + "/mdhost_Good.resources/Good.mdext"]?.isWhole == true)
        let above = try #require(plan.interests[folder.path])
        #expect(above.includes("a") && above.includes("build") && !above.includes("b") && !above.hasFiles)
        #expect(plan.interests[folder.path + "/a"] == nil)
    }

    @Test func linksLeadToWhatIsReplaced() throws {
        try folder.write("#!/bin/sh\n", to: "original/program", mode: 0o755)
        try folder.write(InfoPlist().text, to: "original/x.mdext/Info.plist")
        let files = FileManager.default
        try files.createSymbolicLink(atPath: folder.path + "/original/x.mdext/good", withDestinationPath: "../program")
        try files.createDirectory(atPath: folder.path + "/installed", withIntermediateDirectories: true)
        try files.createSymbolicLink(
            atPath: folder.path + "/installed/x.mdext", withDestinationPath: folder.path + "/original/x.mdext")
        let places = [ExtensionCatalog.Folder(path: folder.path + "/installed")]
        let plan = WatchPlan(places, catalog: .scan(places))
        #expect(plan.interests[folder.path + "/original/x.mdext"]?.isWhole == true)
        #expect(plan.interests[folder.path + "/original"]?.files == ["program"])
    }

    @Test func aFolderOfManyThingsDoesNotUseUpTheWatches() throws {
        let invalid = (0..<2000).map { number in
            let path = folder.path + "/\(number).mdext"
            return ExtensionCatalog.Invalid(path: path, error: .init(file: path, .notARegularFile))
        }
        for entry in invalid {
            try FileManager.default.createDirectory(atPath: entry.path, withIntermediateDirectories: true)
        }
        let plan = WatchPlan([.init(path: folder.path)], catalog: ExtensionCatalog(manifests: [], invalid: invalid))
        #expect(plan.interests.count == WatchPlan.limit)
    }
}
