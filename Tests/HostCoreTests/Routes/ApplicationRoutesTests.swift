import HostInterface
import Testing

@testable import HostCore

/// The routes of apps, as a value.
struct ApplicationRoutesTests {
    private func route(_ application: String, to device: String = "tv") -> ApplicationRoute {
        ApplicationRoute(
            application: application, applicationName: application.uppercased(), device: HostUnderTest.device,
            entryID: device, name: device, extensionIdentifier: "org.example.test", protocolIdentifier: "p",
            protocolName: "P", features: [.urlPlayback])
    }

    /// Routes an app as its newest pick.
    private func begin(_ route: ApplicationRoute, in routes: inout ApplicationRoutes) -> Bool {
        let pick = routes.pick(route.entryID, for: route.application)
        return routes.begin(route, by: pick)
    }

    @Test func theNewestPickCounts() {
        var routes = ApplicationRoutes()
        let first = routes.pick("tv", for: "a")
        let second = routes.pick("radio", for: "a")
        #expect(!routes.isCurrent(first) && routes.isCurrent(second))
        let result1 = routes.begin(route("a"), by: first)
        #expect(!result1)
        let result2 = routes.begin(route("a", to: "radio"), by: second)
        #expect(result2)
        routes.conclude(first)
        #expect(routes.isCurrent(second), "an old pick's end ends no other")
        routes.conclude(second)
        #expect(routes["a"]?.entryID == "radio")
    }

    @Test func aPickCanBeTakenBack() {
        var routes = ApplicationRoutes()
        let pick = routes.pick("tv", for: "a")
        #expect(routes.applications(on: "tv") == ["a"])
        let result3 = routes.withdrawPick(of: "a")
        #expect(result3)
        let result4 = routes.withdrawPick(of: "a")
        #expect(!result4)
        let result5 = routes.begin(route("a"), by: pick)
        #expect(!result5)
        #expect(routes.isEmpty)
    }

    @Test func aRouteEndsOnce() {
        var routes = ApplicationRoutes()
        let held = route("a")
        let result6 = begin(held, in: &routes)
        #expect(result6)
        let result7 = begin(route("a"), in: &routes)
        #expect(!result7, "the one before must have ended")
        let result8 = routes.end(held.id)
        #expect(result8 == held)
        let result9 = routes.end(held.id)
        let result10 = routes.end(of: "a")
        #expect(result9 == nil && result10 == nil)
    }

    @Test func othersAreThoseOfTheSameDevice() {
        var routes = ApplicationRoutes()
        let result11 = begin(route("a"), in: &routes)
        #expect(result11)
        let result12 = begin(route("b"), in: &routes)
        #expect(result12)
        let result13 = begin(route("c", to: "radio"), in: &routes)
        #expect(result13)
        #expect(routes.others(to: "tv", than: "a").map(\.application) == ["b"])
        #expect(routes.applications(on: "tv") == ["a", "b"])
    }

    @Test func whatIsAdoptedStaysWhereTheAppKnowsIt() {
        var routes = ApplicationRoutes()
        let held = route("a")
        routes.adopt(held)
        let result14 = routes.returned("a", holding: ["tv"])
        #expect(result14 == nil)
        #expect(routes["a"] == held)
        let result15 = routes.giveUp(held.id)
        #expect(result15 == nil, "it came back")
    }

    @Test func anotherRunOfTheAppKnowsNothingOfIt() {
        var routes = ApplicationRoutes()
        let held = route("a")
        routes.adopt(held)
        let result16 = routes.returned("a", holding: [])
        #expect(result16 == held)
        #expect(routes.isEmpty)
        let result17 = routes.returned("a", holding: [])
        #expect(result17 == nil)
    }

    @Test func anAppThatStaysAwayIsGivenUp() {
        var routes = ApplicationRoutes()
        let held = route("a")
        routes.adopt(held)
        let result18 = routes.giveUp(held.id)
        #expect(result18 == held)
        let result19 = routes.giveUp(held.id)
        #expect(result19 == nil)
    }

    @Test func aSecondProgramOfAnAppEndsNothing() {
        var routes = ApplicationRoutes()
        let result20 = begin(route("a"), in: &routes)
        #expect(result20)
        let result21 = routes.returned("a", holding: [])
        #expect(result21 == nil)
        #expect(routes["a"] != nil)
    }
}
