import Testing

@testable import HostCore

struct DeviceGroupsTests {
    private var trio: DeviceGroups {
        var groups = DeviceGroups()
        groups.add("B", to: "A")
        // A follower stands for its group.
        groups.add("C", to: "B")
        return groups
    }

    @Test func aDeviceAloneLeadsItself() {
        let groups = DeviceGroups()
        #expect(groups.leader(of: "A") == "A" && groups.members(of: "A") == ["A"] && !groups.isGrouped("A"))
    }

    @Test func membersComeInTheirOrderAndTheLeaderFirst() {
        let groups = trio
        for id in ["A", "B", "C"] {
            #expect(groups.members(of: id) == ["A", "B", "C"] && groups.leader(of: id) == "A" && groups.isGrouped(id))
        }
        #expect(!groups.isFollower("A") && groups.isFollower("C"))
    }

    @Test func nobodyIsInTwoGroupsOrFollowsItself() {
        var groups = trio
        groups.add("A", to: "D")
        groups.add("B", to: "D")
        groups.add("D", to: "D")
        #expect(groups == trio)
    }

    @Test func theLastFollowerEndsTheGroup() {
        var groups = trio
        groups.remove("B")
        #expect(groups.members(of: "C") == ["A", "C"])
        groups.remove("C")
        #expect(groups == DeviceGroups())
    }

    @Test func aNewLeaderKeepsTheOthersAndTheFormerOneFollows() {
        var groups = trio
        groups.promote("C")
        #expect(groups.members(of: "A") == ["C", "B", "A"] && groups.isFollower("A"))
        groups.remove("A")
        #expect(groups.members(of: "B") == ["C", "B"])
        groups.promote("C")
        #expect(groups.members(of: "B") == ["C", "B"], "it leads already")
    }

    @Test func withoutItsLeaderAGroupIsOver() {
        var groups = trio
        groups.remove("A")
        #expect(groups == DeviceGroups())
    }
}
