import Dispatch
import Foundation

/// Ends the process when its parent exits, even if another process holds the link open or the main actor hangs.
final class ParentWatch {
    // The kernel also sends the signal when only the parent's *thread* that started this process ends (prctl(2)), so it
    // must not kill by itself: the handler looks whether the parent has really changed.
    private let source: any DispatchSourceSignal

    init() {
        let parent = getppid()
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(
            signal: SIGHUP, queue: DispatchQueue(label: "org.mdhost.extension.parent"))
        source.setEventHandler {
            if getppid() != parent { _exit(0) }
        }
        source.resume()
        Self.requestSignalOnParentDeath()
        // The parent may have died before the request.
        if getppid() != parent { _exit(0) }
    }

    private static func requestSignalOnParentDeath() {
        // Swift does not import C functions with variable arguments. This one takes five machine words, for which both
        // calling conventions agree on every Linux that Swift runs on.
        typealias ProcessControl = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        let setParentDeathSignal: Int32 = 1
        guard let symbol = dlsym(nil, "prctl") else { return }
        let processControl = unsafeBitCast(symbol, to: ProcessControl.self)
        _ = processControl(setParentDeathSignal, UInt(SIGHUP), 0, 0, 0)
    }
}
