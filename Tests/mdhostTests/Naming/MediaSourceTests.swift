import Foundation
import HostInterface
import Testing

@testable import mdhost

@Suite("What a person gave to play")
struct MediaSourceTests {
    @Test(
        "addresses",
        arguments: [
            ("http://192.0.2.1/film.mp4", "http://192.0.2.1/film.mp4"),
            ("https://media.example.com:8443/a?b=c#d", "https://media.example.com:8443/a?b=c#d"),
            ("http://[2001:db8::1]/a.mp3", "http://[2001:db8::1]/a.mp3"),
            ("http://media.example.com/a film.mp4", "http://media.example.com/a%20film.mp4"),
            ("http://media.example.com/a%20film.mp4", "http://media.example.com/a%20film.mp4"),
            ("rtsp://media.example.com/live", "rtsp://media.example.com/live"),
        ])
    func addresses(_ text: String, _ expected: String) throws {
        #expect(try MediaSource.url(text).absoluteString == expected)
    }

    @Test(
        "addresses that mean another machine on the device",
        arguments: [
            "http://localhost/a.mp3", "http://LOCALHOST:80/a", "http://127.0.0.1:8000/a", "http://127.1.2.3/",
            "http://[::1]/a", "http://0.0.0.0/a",
        ])
    func loopback(_ text: String) throws {
        let error = try #require(throws: HostError.self) { try MediaSource.url(text) }
        #expect(error.code == .invalidArgument && error.message.contains("itself"))
    }

    @Test("a device on this machine means the same machine")
    func deviceHere() throws {
        #expect(MediaSource.isHere(["127.0.0.1:80"]) && MediaSource.isHere(["127.0.0.1:80", "[::1]:80"]))
        #expect(!MediaSource.isHere([]) && !MediaSource.isHere(["127.0.0.1:80", "192.0.2.1:80"], own: []))
        #expect(MediaSource.isHere(["192.0.2.1:80", "[fe80::1%eth0]:80"], own: ["192.0.2.1", "fe80::1"]))
        #expect(MediaSource.isHere(["http://127.0.0.1:80/description.xml"], own: []))
        #expect(!MediaSource.isHere(["Kettle._kettle._tcp.local."], own: ["192.0.2.1"]))
        let url = try MediaSource.url("http://127.0.0.1:8000/a", isDeviceHere: true)
        #expect(url.absoluteString == "http://127.0.0.1:8000/a")
        #expect(throws: HostError.self) { try MediaSource.url("/nowhere/a.mp3", isDeviceHere: true) }
    }

    @Test("no addresses", arguments: ["http://", "://", "http:///film.mp4", "http://a b/film.mp4"])
    func malformed(_ text: String) throws {
        let error = try #require(throws: HostError.self) { try MediaSource.url(text) }
        #expect(error.code == .invalidArgument)
    }

    @Test("files of this machine, by path and by address")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-source-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a film & more.mp4")
        try Data().write(to: file)
        for text in [file.path, file.absoluteString, folder.path + "/./a film & more.mp4"] {
            let url = try MediaSource.url(text)
            #expect(url.isFileURL && url.path == file.path, "\(text)")
        }
        let isFolder = try #require(throws: HostError.self) { try MediaSource.url(folder.path) }
        #expect(isFolder.code == .invalidArgument)
        let missing = try #require(throws: HostError.self) { try MediaSource.url(folder.path + "/missing.mp4") }
        #expect(missing.code == .fileNotFound)
        let empty = try #require(throws: HostError.self) { try MediaSource.url("") }
        #expect(empty.code == .fileNotFound || empty.code == .invalidArgument)
    }
}
