import HostInterface
import LinkProtocol
import Testing

@testable import HostCore

@Suite struct ExtensionRunnerTests {
    @Test(arguments: [
        (nil, true), (HostError.Code.timedOut, true), (.extensionCrashed, false), (.extensionDisabled, false),
    ])
    func whoIsSlowIsToldMoreAndWhoIsGoneIsNot(failure: HostError.Code?, isThere: Bool) async {
        let runner = ScriptedRunner { _ in [] }
        runner.fail(failure.map { HostError($0, "It did not work.") })
        #expect(await runner.tell(.startDeviceDiscovery, to: runner.identifier) == isThere)
    }
}
