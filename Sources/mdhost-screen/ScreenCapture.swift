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

    private let request: ScreenRequest
    private let control: ControlSocket
    private let output: StreamOutput
    private let screen: CapturedScreen
    private let flow: Mutex<FlowControl>

    /// Opens the screen, asking the person for consent if the desktop wants that.
    ///
    /// - Parameter onEnd: Called when the desktop ends the sharing.
    /// - Throws: ``HostError`` that says why the screen can't be captured.
    init(
        _ request: ScreenRequest, output: Int32, control: ControlSocket, onEnd: @escaping @Sendable (HostError) -> Void
    ) async throws(HostError) {
        self.request = request
        self.control = control
        self.output = StreamOutput(descriptor: output)
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
        let stream: TransportStream
        let samples: SoundEncoder?
        do throws(ScreenEncodingError) {
            samples = sound == nil ? nil : try SoundEncoder()
            pictures = try PictureEncoder(size: size, rate: request.rate, bitRate: flow.withLock { $0.bitRate })
            stream = try TransportStream(to: output, picture: pictures, sound: samples)
        } catch {
            throw HostError(.internalFailure, "Couldn't encode the screen: \(error.reason).")
        }
        if let sound, let samples { start(sound, samples, stream) }
        let facts = ScreenFacts(
            source: screen.kind, display: screen.display, width: size.width, height: size.height, rate: request.rate,
            hasSound: sound != nil)
        try capture(pictures, stream, facts)
    }

    /// - Parameter facts: Reported once the device may begin.
    private func capture(
        _ pictures: PictureEncoder, _ stream: TransportStream, _ facts: ScreenFacts
    ) throws(HostError) {
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
            let (decision, time, bitRate) = flow.withLock { flow in
                let decision = flow.picture(at: next.time, backlog: backlog)
                (figures.sent, figures.dropped, figures.bitRate) = (flow.sent, flow.dropped, flow.bitRate)
                return (decision, flow.streamTime(of: next.time), flow.bitRate)
            }
            if case .encode(let isKey) = decision, let time {
                pictures.set(bitRate: bitRate)
                do throws(ScreenEncodingError) {
                    try pictures.encode(next.picture, at: time, isKey: isKey, into: stream)
                } catch {
                    throw HostError(.internalFailure, "Couldn't encode the screen: \(error.reason).")
                }
                stream.pad(to: bitRate, until: time)
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

    private func start(_ sound: DesktopSound, _ samples: SoundEncoder, _ stream: TransportStream) {
        let work = SoundLoop(source: sound, encoder: samples)
        let box = UncheckedSoundLoop(loop: work)
        _ = BackgroundThread.start { [self] in
            box.loop.run(
                into: stream, while: { self.goesOn }, time: { time in self.flow.withLock { $0.streamTime(of: time) } },
                onLoss: {
                    self.control.send(.notice("The sound server stopped: the picture continues without sound."))
                },
                onReturn: { self.control.send(.notice("The sound is back.")) })
        }
    }
}

/// Handed over to its thread, and used there alone.
private struct UncheckedSoundLoop: @unchecked Sendable { let loop: SoundLoop }
