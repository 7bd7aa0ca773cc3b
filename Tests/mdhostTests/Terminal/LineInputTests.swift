import Foundation
import Testing

@testable import mdhost

@Suite("Lines of standard input", .timeLimit(.minutes(1)))
struct LineInputTests {
    private func input(_ text: String) throws -> (input: LineInput, pipe: Pipe) {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(text.utf8))
        return (try LineInput(pipe.fileHandleForReading.fileDescriptor), pipe)
    }

    @Test("one after the other, and nothing of the next is taken")
    func lines() throws {
        let (input, pipe) = try input("one\r\n\ntwö\nrest")
        #expect(input.next() == .line("one") && input.next() == .line("") && input.next() == .line("twö"))
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("rest".utf8))
    }

    @Test("the end, also behind a line without one")
    func end() throws {
        let (input, pipe) = try input("last")
        try pipe.fileHandleForWriting.close()
        #expect(input.next() == .line("last") && input.next() == .end)
    }

    @Test("a wait is ended from elsewhere")
    func wake() async throws {
        let (input, pipe) = try input("")
        let waiting = Task.detached { input.next() }
        input.wake()
        #expect(await waiting.value == .woken)
        #expect(input.next() == .woken)
        withExtendedLifetime(pipe) {}
    }

    @Test("what is too long is cut")
    func bound() throws {
        let (input, pipe) = try input(String(repeating: "x", count: 5_000) + "\n")
        #expect(input.next() == .line(String(repeating: "x", count: 4_096)))
        withExtendedLifetime(pipe) {}
    }
}
