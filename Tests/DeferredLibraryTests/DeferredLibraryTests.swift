import DeferredFixture
import Testing

/// Libraries that are loaded when they are needed: the errors for callers, and the arrival of calls.
@Suite struct DeferredLibraryTests {
    private func text(_ reason: UnsafePointer<CChar>?) -> String? { reason.map { String(cString: $0) } }

    @Test func aCallArrivesOnceItIsLoaded() {
        #expect(text(deferred_fixture_load()) == nil && text(deferred_fixture_load()) == nil)
        #expect(text(zlibVersion())?.hasPrefix("1.") == true)
    }

    @Test func aMissingLibraryIsNamedEachTime() {
        for _ in 0..<2 {
            #expect(text(deferred_fixture_load_missing())?.contains("libmdhost-missing.so.1") == true)
        }
    }

    @Test func aLibraryWithoutTheFunctionIsNotUsed() {
        #expect(text(deferred_fixture_load_incomplete()) == "libz.so.1: no function mdhost_fixture_unknown")
    }
}
