import Foundation
import HostCore
import Testing

@testable import HostDesktop

struct ProcessForegroundTests {
    @Test func aNameMayHoldAnything() throws {
        let facts = try #require(
            ProcessForeground.facts(
                status: "42 (a) S (b) 7) S 1 42 42 34816 42 4194304 1", environment: "A=1\0WAYLAND_DISPLAY=wayland-0\0",
                groups: "0::/user.slice/user@1000.service/app.slice/app-music-1.scope\n"))
        #expect(facts.terminal?.own == 42 && facts.terminal?.foreground == 42)
        #expect(facts.hasDisplay && facts.unit == "app-music-1.scope")
    }

    @Test func withoutATerminalAndADisplay() throws {
        let facts = try #require(
            ProcessForeground.facts(
                status: "42 (app) S 1 42 42 0 -1 4194304", environment: "DISPLAY=\0X=DISPLAY=:0\0", groups: "0::/\n"))
        #expect(facts.terminal == nil && !facts.hasDisplay && facts.unit == nil)
        #expect(ProcessForeground.facts(status: "nonsense", environment: "", groups: "") == nil)
    }

    @Test func thisProcessCanBeRead() {
        #expect(ProcessForeground.facts(ProcessInfo.processInfo.processIdentifier) != nil)
        #expect(ProcessForeground.facts(-1) == nil && !ProcessForeground.isForeground(-1))
    }

    @Test func theParentOfAProcessIsRead() {
        #expect(ProcessParent.of(status: "4711 (a) b) S 12 4711 4711 0 -1") == 12)
        #expect(ProcessParent.of(status: "nonsense") == nil && ProcessParent.of(status: "1 (a) S") == nil)
        #expect(ProcessParent.of(getpid()) == getppid())
        #expect(ProcessParent.of(Int32.max) == nil)
    }
}
