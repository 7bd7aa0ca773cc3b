import Testing

@testable import HostCore

struct GroupLevelTests {
    private func level(_ levels: [String: Double]) -> GroupLevel {
        var group = GroupLevel()
        for (id, level) in levels.sorted(by: { $0.key < $1.key }) { group.heard(level, from: id) }
        return group
    }

    private func hundredths(_ levels: [String: Double]) -> [String: Int] {
        levels.mapValues { Int(($0 * 100).rounded()) }
    }

    @Test func itIsAsLoudAsTheLoudestAndMovesInProportion() {
        var group = level(["A": 0.8, "B": 0.4, "C": 0])
        #expect(group.level == 0.8)
        #expect(hundredths(group.move(to: 0.4)) == ["A": 40, "B": 20, "C": 0])
        #expect(hundredths(group.move(to: 1)) == ["A": 100, "B": 50, "C": 0], "nothing is cut off at the top")
        #expect(hundredths(group.move(to: 7)) == ["A": 100, "B": 50, "C": 0])
        #expect(GroupLevel().level == nil)
    }

    @Test func proportionsOutliveSilence() {
        var group = level(["A": 0.8, "B": 0.4])
        #expect(hundredths(group.move(to: 0)) == ["A": 0, "B": 0])
        group.heard(0, from: "A")
        group.heard(0, from: "B")
        #expect(hundredths(group.move(to: 0.6)) == ["A": 60, "B": 30])
        var silent = level(["A": 0, "B": 0])
        #expect(hundredths(silent.move(to: 0.5)) == ["A": 50, "B": 50])
    }

    @Test func proportionsOutliveDevicesThatRound() {
        var group = level(["A": 0.9, "B": 0.3])
        for step in (1...20).reversed() {
            // Each counts in hundredths.
            for (id, level) in group.move(to: Double(step) / 100) {
                group.heard((level * 100).rounded() / 100, from: id)
            }
        }
        #expect(hundredths(group.move(to: 0.9)) == ["A": 90, "B": 30])
    }

    @Test func theirWordsMayComeOneByOneAndLate() {
        var group = level(["A": 0.8, "B": 0.4])
        _ = group.move(to: 0.4)
        group.heard(0.2, from: "B")
        group.heard(0.4, from: "A")
        #expect(hundredths(group.move(to: 0.8)) == ["A": 80, "B": 40])
    }

    @Test func whatAPersonSetsAtADeviceIsTheNewProportion() {
        var group = level(["A": 0.8, "B": 0.4])
        group.heard(0.8, from: "B")
        #expect(hundredths(group.move(to: 0.5)) == ["A": 50, "B": 50])
        group.heard(1, from: "B")
        #expect(group.level == 1 && hundredths(group.move(to: 0.5)) == ["A": 25, "B": 50])
    }

    @Test func aMemberThatLeavesTakesItsPartAlong() {
        var group = level(["A": 0.8, "B": 0.4])
        group.remove("A")
        #expect(group.level == 0.4 && hundredths(group.move(to: 0.6)) == ["B": 60])
        group.heard(0.3, from: "C")
        #expect(hundredths(group.move(to: 1)) == ["B": 100, "C": 50])
    }
}
