import Testing

@testable import BlueZ

@Suite struct ScanPlanTests {
    private let first = BlueZIdentifier(rawValue: "/org/bluez/hci0")
    private let second = BlueZIdentifier(rawValue: "/org/bluez/hci1")

    private final class Model {
        var plan = ScanPlan()

        /// Carries out the steps of the plan.
        func settle(_ adapters: [BlueZIdentifier], refusing: Set<BlueZIdentifier> = []) -> [ScanPlan.Step] {
            var steps: [ScanPlan.Step] = []
            while let step = plan.next(adapters), steps.count < 20 {
                plan.finish(step, succeeded: !refusing.contains(step.adapter))
                steps.append(step)
            }
            return steps
        }
    }

    @Test func theFirstStartsAndTheLastStops() {
        let model = Model()
        let filter = BlueZScanFilter(transport: .lowEnergy)
        #expect(model.settle([first]).isEmpty)
        model.plan.add(1, filter)
        #expect(model.settle([first]) == [.setFilter(first, filter), .start(first)])
        model.plan.add(2, filter)
        #expect(model.settle([first]).isEmpty)
        model.plan.remove(1)
        #expect(model.settle([first]).isEmpty)
        model.plan.remove(2)
        #expect(model.settle([first]) == [.stop(first)])
    }

    @Test func anotherFilterIsToldWithoutAStop() {
        let model = Model()
        model.plan.add(1, BlueZScanFilter(transport: .lowEnergy))
        _ = model.settle([first])
        model.plan.add(2, BlueZScanFilter(transport: .classic))
        #expect(model.settle([first]) == [.setFilter(first, BlueZScanFilter())])
    }

    @Test func anAdapterThatWasOffIsToldAgain() {
        let model = Model()
        model.plan.add(1, BlueZScanFilter())
        _ = model.settle([first])
        #expect(model.settle([first, second]) == [.setFilter(second, BlueZScanFilter()), .start(second)])
        #expect(model.settle([second]).isEmpty)
        #expect(model.settle([first, second]) == [.setFilter(first, BlueZScanFilter()), .start(first)])
        model.plan.restart()
        #expect(model.settle([first]).count == 2)
    }

    @Test func whatWasRefusedIsNotTriedUntilSomethingChanges() {
        let model = Model()
        model.plan.add(1, BlueZScanFilter())
        #expect(model.settle([first, second], refusing: [first]).count == 3)
        #expect(model.settle([first, second]).isEmpty)
        model.plan.forgetRefusals()
        #expect(model.settle([first, second]) == [.setFilter(first, BlueZScanFilter()), .start(first)])
    }
}
