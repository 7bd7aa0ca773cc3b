import Foundation
import HostInterface
import ScreenEncoding
import ScreenInterface
import Synchronization
import Threads

/// One capture: its source, its two encoders and their stream.
final class ScreenCapture: Sendable {
    /// The time between two reports of the counts, in microseconds.
    private static let reportInterval: Int64 = 1_000_000
    /// For sound, in microseconds.
    private static let lateness: Int64 = 120_000
    private static let settling: Int64 = 4_000_000
    /// The time that an extension may take no picture, in microseconds: longer than its process's replacement takes. A
    /// device that reads a stream may be paused for any time.
    private static let patience: Int64 = 30_000_000

    private let request: ScreenRequest
    private let control: ControlSocket
    private let output: any CaptureOutput
    private let screen: CapturedScreen
    private let flow: Mutex<FlowControl>

    /// Opens the screen, asking the person for consent if the desktop wants that.
    ///
    /// - Parameter onEnd: Called when the desktop ends the sharing.
    /// - Throws: ``HostError`` that says why the screen can't be captured.
    init(
        _ request: ScreenRequest, output: any CaptureOutput, control: ControlSocket,
        onEnd: @escaping @Sendable (HostError) -> Void
    ) async throws(HostError) {
        self.request = request
        self.control = control
        self.output = output
        screen = try await CapturedScreen.open(request, control: control, onEnd: onEnd)
        let size = screen.size(within: request)
        flow = Mutex(
            FlowControl(
                bitRates: FlowControl.bitRates(size: size, rate: request.rate), lead: Int64(request.lead * 1e6)))
    }

    private var goesOn: Bool { !output.isClosed }

    /// Captures until nobody reads the stream any more.
    ///
    /// - Throws: ``HostError`` if the screen is gone.
    func run() async throws(HostError) {
        let result: Result<Void, HostError> = await withCheckedContinuation { continuation in
            let isStarted = BackgroundThread.start {
                do throws(HostError) {
                    try self.capture()
                    continuation.resume(returning: .success(()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            guard !isStarted else { return }
            continuation.resume(returning: .failure(HostError(.internalFailure, "Couldn't start a thread.")))
        }
        try result.get()
    }

    private func capture() throws(HostError) {
        let size = screen.size(within: request)
        let sound = openSound()
        let pictures: PictureEncoder
        let target: any PictureTarget
        let samples: (any SoundTarget)?
        do throws(ScreenEncodingError) {
            pictures = try PictureEncoder(size: size, rate: request.rate, bitRate: flow.withLock { $0.bitRate })
            (target, samples) = try output.begin(pictures, hasSound: sound != nil) { [self] time in
                flow.withLock { $0.streamTime(of: time) }
            }
        } catch {
            throw HostError(.internalFailure, "Couldn't encode the screen: \(error.reason).")
        }
        if let sound, let samples { start(sound, samples) }
        let facts = ScreenFacts(
            source: screen.kind, display: screen.display, width: size.width, height: size.height, rate: request.rate,
            hasSound: sound != nil)
        try capture(pictures, target, facts)
    }

    /// - Parameter facts: Reported once the device may begin.
    private func capture(
        _ pictures: PictureEncoder, _ target: any PictureTarget, _ facts: ScreenFacts
    ) throws(HostError) {
        var keyRequests = KeyRequests()
        let begun = TimedPicture.now
        var hasBegun = false
        var figures = ScreenFigures()
        var reported = begun
        while goesOn {
            let next: TimedPicture
            do throws(ScreenEncodingError) { next = try screen.source.next() } catch {
                guard goesOn else { return }
                throw screen.loss
            }
            let backlog = output.backlog
            if output.takeKeyRequest() { keyRequests.isWaiting = true }
            let (decision, time, bitRate) = flow.withLock { flow in
                let decision = flow.picture(at: next.time, backlog: backlog)
                (figures.sent, figures.dropped, figures.bitRate) = (flow.sent, flow.dropped, flow.bitRate)
                return (decision, flow.streamTime(of: next.time), flow.bitRate)
            }
            guard request.form == .stream || flow.withLock({ $0.silence(at: next.time) }) < Self.patience else {
                throw HostError(.timedOut, "The device has taken no picture for \(Self.patience / 1_000_000) seconds.")
            }
            if case .encode(let isKey) = decision, let time {
                pictures.set(bitRate: bitRate)
                let isKey = keyRequests.decide(at: next.time, isKey: isKey)
                do throws(ScreenEncodingError) {
                    try target.take(next, at: time, isKey: isKey, bitRate: bitRate)
                } catch {
                    throw HostError(.internalFailure, "Couldn't encode the screen: \(error.reason).")
                }
            }
            if !hasBegun, flow.withLock({ $0.hasLead }) {
                hasBegun = true
                control.send(.began(facts))
            }
            if next.time - reported >= Self.reportInterval {
                reported = next.time
                figures.seconds = Double(next.time - begun) / 1e6
                control.send(.figures(figures))
            }
        }
    }

    // MARK: Sound

    private func openSound() -> DesktopSound? {
        guard request.hasSound else { return nil }
        do throws(ScreenEncodingError) {
            let sound = try DesktopSound()
            // Before the first picture: a device that starts with late sound stays late.
            try sound.settle(to: Self.lateness, within: Self.settling)
            return sound
        } catch {
            control.send(.notice("No sound server answers: the device shows the picture without sound."))
            return nil
        }
    }

    private func start(_ sound: DesktopSound, _ samples: any SoundTarget) {
        let work = SoundLoop(source: sound, target: samples)
        let box = UncheckedSoundLoop(loop: work)
        _ = BackgroundThread.start { [self] in
            box.loop.run(
                while: { self.goesOn },
                onLoss: {
                    self.control.send(.notice("The sound server stopped: the picture continues without sound."))
                },
                onReturn: { self.control.send(.notice("The sound is back.")) })
        }
    }
}

/// The key pictures that the reader asked for: four a second at most.
private struct KeyRequests {
    private static let interval: Int64 = 250_000

    var isWaiting = false
    private var last: Int64 = .min / 2

    mutating func decide(at time: Int64, isKey: Bool) -> Bool {
        guard isKey || isWaiting && time - last >= Self.interval else { return false }
        isWaiting = false
        last = time
        return true
    }
}

/// Handed over to its thread, and used there alone.
private struct UncheckedSoundLoop: @unchecked Sendable { let loop: SoundLoop }
