import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// `mdhost page`: its server, as a browser uses it.
    @Suite struct PageTests {
        @Test func aDeviceIsPairedPlayedToAndMoved() async throws {
            try await Household.open { home in
                let browser = try await Browser.enter(home)
                let view = try browser.watch()
                try await eventually("a snapshot") { view.state["online"] as? Bool == true }
                let first = try await DemoDevice.open(home, "--name", "Page One")
                let second = try await DemoDevice.open(home, "--name", "Page Two", "--open")
                let (one, two) = (try await view.device("Page One"), try await view.device("Page Two"))

                // A wrong code, then the right one.
                let sample = try await first.ready().sample
                async let begun = browser.succeed("play", ["device": one, "url": sample])
                try await eventually("a prompt") { !view.map("prompts").isEmpty }
                let prompt = try #require(view.map("prompts").keys.first)
                #expect(view.map("prompts")[prompt]?["length"] as? Int == 4)
                #expect(try await browser.perform("answer", ["prompt": prompt, "code": "12"]).status == 400)
                let wrong = try await first.code(1) == "0000" ? "1111" : "0000"
                try await browser.succeed("answer", ["prompt": prompt, "code": wrong])
                try await eventually("the next prompt") { view.map("prompts").keys.contains { $0 != prompt } }
                let next = try #require(view.map("prompts").first { $0.key != prompt })
                #expect(next.value["attemptsLeft"] as? Int == 2)
                try await browser.succeed("answer", ["prompt": next.key, "code": try await first.code(2)])
                let session = try #require(try await begun["session"] as? String)
                try await view.plays(session)
                try await eventually("no prompt") { view.map("prompts").isEmpty }

                // The volume from both sides, and transport.
                try await browser.succeed("volume", ["device": one, "level": 0.3])
                try await first.tells { $0.event == "volume" && $0.level == "vol 30 %" }
                try await home.succeed("volume", "Page One", "60")
                try await eventually("the volume of the other side") {
                    isNear(view.map("devices")[one]?["volume"] as? Double, 0.6)
                }
                try await browser.succeed("seek", ["session": session, "position": 42])
                try await browser.succeed("pause", ["session": session])
                try await view.plays(session, false)
                try await browser.succeed("resume", ["session": session])
                try await view.plays(session)

                // To the other device, at the current position, with its own volume.
                let level = view.map("devices")[two]?["volume"] as? Double
                let moved = try #require(
                    try await browser.succeed("move", ["session": session, "device": two])["session"] as? String)
                try await view.plays(moved)
                try await eventually("the end of the source") { view.map("sessions")[session] == nil }
                let position = try #require(view.playback(moved)["position"] as? [String: Double])
                #expect((41...50).contains(try #require(position["value"])), "\(position)")
                #expect(level == nil || isNear(view.map("devices")[two]?["volume"] as? Double, level ?? 0))
                #expect(isNear(view.map("devices")[one]?["volume"] as? Double, 0.6))
                try await browser.succeed("stop", ["session": moved])
                try await second.tells("ended")
                await view.close()
                try await home.succeed("page", "stop")
                #expect(await first.close() == 0)
                #expect(await second.close() == 0)
                try await home.quit()
            }
        }

        @Test func aFileIsPlayedAsItArrives() async throws {
            try await Household.open { home in
                let file = home.folder + "/upload.mp3"
                try await LabMedia.make(file, frequency: 500, seconds: 20)
                let browser = try await Browser.enter(home)
                let view = try browser.watch()
                let demo = try await DemoDevice.open(home, "--name", "Upload Study", "--open")
                let device = try await view.device("Upload Study")
                let answer = try await browser.request(
                    [
                        "-X", "POST", "-H", "Origin: \(browser.origin)", "-H", "X-Mdhost-Page: 1", "-H",
                        "Content-Type: audio/mpeg", "--data-binary", "@" + file,
                    ], "/api/upload?device=\(device)&name=My%20Song.mp3")
                #expect(answer.status == 200 && answer.json["complete"] as? Bool == true, "\(answer)")
                try await demo.tells { $0.event == "fetching" && $0.url?.hasPrefix("http://127.0.0.1:") == true }
                let sources = view.events.flatMap { event in
                    (event.data["sessions"] as? [String: Any] ?? [:]).values.compactMap {
                        ($0 as? [String: Any])?["source"] as? String
                    }
                }
                #expect(sources.contains { $0.hasPrefix("stream:") }, "\(sources)")
                await view.close()
                #expect(await demo.close() == 0)
            }
        }

        @Test func theDaemonDiesAndComesBack() async throws {
            try await Household.open { home in
                let browser = try await Browser.enter(home)
                let view = try browser.watch()
                try await eventually("a snapshot") { view.state["online"] as? Bool == true }
                kill(try #require(home.daemon), SIGKILL)
                try await eventually("the next daemon") {
                    view.events.map(\.name).filter { $0 != "change" } == ["snapshot", "offline", "snapshot"]
                }
                #expect(view.state["online"] as? Bool == true)
                #expect(try await browser.perform("search").status == 200)
                await view.close()
            }
        }

        @Test func theProcessIsConfinedAndEndsWithItsKeeper() async throws {
            try await Household.open { home in
                _ = try await Browser.enter(home)
                let pages = home.processes.filter { process in
                    let words = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
                    return words.contains("mdhost-page") && words.contains("--serve")
                }
                let page = try #require(pages.count == 1 ? pages.first : nil)
                let status = try String(contentsOfFile: "/proc/\(page)/status", encoding: .utf8)
                #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"), "\(status)")
                let folder = home.folder + "/state/mdhost/page"
                for file in ["browsers.json", "settings.json"] {
                    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/" + file)[.posixPermissions]
                    #expect(mode as? Int == 0o600)
                }
                let keeper = try #require(status.split(separator: "\n").first { $0.hasPrefix("PPid:") })
                kill(try #require(Int32(keeper.split(separator: "\t")[1])), SIGKILL)
                try await eventually("the end of the page") { kill(page, 0) != 0 || !home.processes.contains(page) }
                // The next command starts another.
                #expect(try await home.succeed("page", "--print").contains("/#enter="))
                try await home.succeed("page", "stop")
            }
        }

        @Test func anAppsPickerRoutesTheApp() async throws {
            try await Household.open { home in
                let demo = try await DemoDevice.open(home, "--name", "Picker Study", "--open")
                let app = try await RoutedApp.open(home, "--mode", "none", try await demo.ready().sample)
                let client = try await HostClient.connect(to: home.socket, launching: false)
                await #expect(throws: HostError.self) {
                    try await client.showPicker(application: "Nobody", opens: false)
                }
                await #expect(throws: HostError.self) { try await client.showPicker(opens: false) }
                let link = try await client.showPicker(application: "Film App", opens: false)
                let browser = try await Browser.enter(home, with: link)
                let view = try browser.watch()
                let device = try await view.device("Picker Study")
                let picker = try #require(view.state["picker"] as? [String: String])
                #expect(picker == ["application": "org.example.film-app", "name": "Film App"])
                let answer = try await browser.succeed("pick", ["device": device])
                #expect(answer["application"] as? String == "Film App")
                try await app.sees("activate Picker Study, \(RoutedApp.protocol), tv")
                try await eventually("the route, and no picker") {
                    view.state["picker"] is NSNull
                        && view.state["routes"] as? [String: [String]] == [device: ["org.example.film-app"]]
                }
                #expect(try await browser.perform("pick", ["device": device]).status == 400)
                try await browser.succeed("unroute", ["device": device])
                try await eventually("no route") { (view.state["routes"] as? [String: Any])?.isEmpty == true }
                await view.close()
                await client.close()
                await app.quit()
                #expect(await demo.close() == 0)
            }
        }
    }
}
