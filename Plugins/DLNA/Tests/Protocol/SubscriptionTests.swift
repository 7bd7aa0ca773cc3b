import Testing

@testable import DLNAProtocol

struct SubscriptionTests {
    private func active(timeout: Duration? = .seconds(300), at now: Duration = .zero) -> Subscription {
        var subscription = Subscription()
        _ = subscription.start()
        _ = subscription.granted(SubscriptionGrant(identifier: "uuid:1", timeout: timeout), at: now)
        return subscription
    }

    @Test func renewsAtHalfTime() {
        var subscription = active()
        #expect(subscription.deadline == .seconds(150))
        #expect(subscription.wake(at: .seconds(149)) == [])
        #expect(subscription.wake(at: .seconds(150)) == [.renew(identifier: "uuid:1")])
        #expect(subscription.deadline == nil)
        #expect(subscription.wake(at: .seconds(151)) == [])
        #expect(subscription.granted(.init(identifier: "uuid:1", timeout: .seconds(60)), at: .seconds(151)) == [])
        #expect(subscription.deadline == .seconds(181))
        #expect(active(timeout: nil).deadline == .seconds(900))
    }

    @Test func subscribesAnewWhenTheDeviceForgotIt() {
        var subscription = active()
        _ = subscription.received(.init(identifier: "uuid:1", sequence: 0))
        _ = subscription.wake(at: .seconds(150))
        #expect(subscription.refused(.status(412), at: .seconds(151)) == [.subscribe, .resynchronize])
        #expect(subscription.granted(.init(identifier: "uuid:2", timeout: .seconds(300)), at: .seconds(151)) == [])
        #expect(subscription.received(.init(identifier: "uuid:1", sequence: 1)).reception == .foreign)
        #expect(subscription.received(.init(identifier: "uuid:2", sequence: 0)).reception == .accepted)
    }

    @Test func triesToRenewUntilItExpires() {
        var subscription = active()
        var now = Duration.seconds(150)
        var renewals = 0
        while now < .seconds(300) {
            let actions = subscription.wake(at: now)
            guard actions == [.renew(identifier: "uuid:1")] else { break }
            renewals += 1
            let refused = subscription.refused(.noAnswer, at: now)
            if !refused.isEmpty {
                #expect(refused == [.subscribe, .startPolling])
                break
            }
            now = subscription.deadline ?? now
        }
        #expect(renewals == Subscription.attemptLimit)
        #expect(subscription.isPolling)
    }

    @Test func givesUpAndPollsThenTriesAgain() {
        var subscription = Subscription()
        #expect(subscription.start() == [.subscribe])
        var now = Duration.zero
        #expect(subscription.refused(.status(500), at: now) == [.startPolling])
        var pauses: [Duration] = []
        for _ in 0..<4 {
            guard let deadline = subscription.deadline else { break }
            pauses.append(deadline - now)
            now = deadline
            #expect(subscription.wake(at: now) == [.subscribe])
            #expect(subscription.refused(.noAnswer, at: now) == [])
        }
        #expect(pauses == [.seconds(1), .seconds(2), .seconds(4), Subscription.giveUpPause])
        #expect(subscription.wake(at: now + Subscription.giveUpPause) == [.subscribe])
        #expect(subscription.granted(.init(identifier: "uuid:9", timeout: nil), at: now) == [.stopPolling])
    }

    @Test func takesTheFirstEventBeforeTheAnswer() {
        var subscription = Subscription()
        _ = subscription.start()
        #expect(subscription.received(.init(identifier: "uuid:1", sequence: 0)).reception == .accepted)
        _ = subscription.granted(.init(identifier: "uuid:1", timeout: .seconds(300)), at: .zero)
        #expect(subscription.received(.init(identifier: "uuid:1", sequence: 0)).reception == .duplicate)
        let next = subscription.received(.init(identifier: "uuid:1", sequence: 1))
        #expect(next.reception == .accepted)
        #expect(next.actions == [])
    }

    @Test func asksForEverythingAfterAGap() {
        var subscription = active()
        _ = subscription.received(.init(identifier: "uuid:1", sequence: 0))
        let late = subscription.received(.init(identifier: "uuid:1", sequence: 3))
        #expect(late.reception == .accepted)
        #expect(late.actions == [.resynchronize])
        #expect(subscription.received(.init(identifier: "uuid:1", sequence: 2)).reception == .duplicate)
        #expect(subscription.received(.init(identifier: "uuid:1", sequence: 4)).actions == [])
    }

    @Test func countsAcrossTheWrap() {
        var subscription = active()
        _ = subscription.received(.init(identifier: "uuid:1", sequence: .max - 1))
        for sequence in [UInt32.max, 1, 2] {
            let event = subscription.received(.init(identifier: "uuid:1", sequence: sequence))
            #expect(event.reception == .accepted)
            #expect(event.actions == [])
        }
        #expect(subscription.received(.init(identifier: "uuid:1", sequence: .max)).reception == .duplicate)
    }

    @Test func leavesNothingBehind() {
        var subscription = active()
        #expect(subscription.stop() == [.unsubscribe(identifier: "uuid:1")])
        #expect(subscription.received(.init(identifier: "uuid:1", sequence: 0)).reception == .foreign)
        #expect(subscription.deadline == nil)
        var unanswered = Subscription()
        _ = unanswered.start()
        #expect(unanswered.stop() == [])
        #expect(
            unanswered.granted(.init(identifier: "uuid:3", timeout: nil), at: .zero)
                == [.unsubscribe(identifier: "uuid:3")])
        #expect(unanswered.refused(.noAnswer, at: .zero) == [])
        var polling = Subscription()
        _ = polling.start()
        _ = polling.refused(.noAnswer, at: .zero)
        #expect(polling.stop() == [.stopPolling])
    }

    @Test func startsFreshForADeviceThatCameBack() {
        var subscription = active()
        #expect(subscription.start() == [.subscribe])
        #expect(subscription.received(.init(identifier: "uuid:2", sequence: 0)).reception == .accepted)
    }
}
