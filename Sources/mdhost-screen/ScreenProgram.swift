import Foundation
import HostInterface
import ScreenEncoding
import ScreenInterface

/// Captures the screen and the desktop's sound, and writes them to standard output, as the request says. Started by `mdhost screen`, with a socket to it as standard input.
@main struct ScreenProgram {
    static func main() async {
        // A reader that leaves is an error of a write. Ctrl-C is for mdhost, which ends this program by its socket.
        for number in [SIGPIPE, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        let control = ControlSocket(descriptor: STDIN_FILENO)
        do throws(HostError) {
            let request = try ScreenRequest(argument: CommandLine.arguments.dropFirst().first ?? "")
            // The kernel closes all that is open, and nobody waits for more.
            guard control.follow(onEnd: { _exit(0) }) else {
                throw HostError(.internalFailure, "Couldn't start a thread.")
            }
            let capture = try await ScreenCapture(
                request, output: Self.output(for: request), control: control,
                onEnd: { error in
                    control.send(.ended(error))
                    _exit(1)
                })
            try await capture.run()
        } catch {
            control.send(.ended(error))
            _exit(1)
        }
        _exit(0)
    }

    private static func output(for request: ScreenRequest) -> any CaptureOutput {
        switch request.form {
        case .stream: StreamedCapture(descriptor: STDOUT_FILENO)
        case .samples: DeliveredCapture(video: STDOUT_FILENO, sound: ScreenRequest.soundDescriptor)
        }
    }
}
