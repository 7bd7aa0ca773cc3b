import Foundation
import HTTPTypes
import HostInterface
import HostSockets
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Answers the requests of browsers.
final class PageResponder: Sendable {
    static let cookieName = "mdhost-page"
    private static let largestBody = 64 << 10
    private static let bodyTime = Duration.seconds(10)
    private static let askTime = Duration.seconds(25)

    let commands: PageCommands
    /// The files of the page, by name.
    let files: @Sendable (String) -> PageFile?
    /// Names of this server besides the addresses that are connected to; for loopback, and for the network.
    let names: (loopback: [String], network: [String])
    private let rates = Mutex<[String: RateLimit]>([:])
    private let refusals = RefusalOnce()
    let uploads = UploadSlots()

    init(
        commands: PageCommands, files: @escaping @Sendable (String) -> PageFile?,
        names: (loopback: [String], network: [String])
    ) {
        self.commands = commands
        self.files = files
        self.names = names
    }

    /// Thrown after a response whose request wasn't read to its end: the connection can't be used again.
    private struct Unread: Error {}

    /// How a request goes on.
    private enum Answer {
        case response(PageResponse)
        case closing(PageResponse)
        /// The body was read in part; it can't be read by anybody else.
        case breaking(PageResponse)
        case events(PageBrowser)
    }

    func respond(to request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
        switch await answer(request, channel) {
        case .response(let response): try await write(response, writer)
        case .closing(let response):
            try await write(response.closing, writer)
            // What is on its way is taken, so that the browser gets to read the response.
            _ = try? await BoundedBody.read(request, atMost: 4 << 20, within: .seconds(1))
            throw Unread()
        case .breaking(let response):
            try await write(response.closing, writer)
            throw Unread()
        case .events(let browser): try await stream(request, browser, writer)
        }
    }

    private func write(_ response: PageResponse, _ writer: consuming ResponseWriter) async throws {
        try await writer.write(response: response.head, body: .init(byteBuffer: ByteBuffer(bytes: response.body)))
    }

    private func answer(_ request: Request, _ channel: any Channel) async -> Answer {
        let path = request.uri.path
        let isUpload = path == "/api/upload"
        if let refusal = rules(channel).refusal(of: request.head, takesBytes: isUpload) {
            return .closing(refused(refusal, request))
        }
        switch (request.method, path) {
        case (.get, "/"), (.head, "/"): return .response(file("index.html", request))
        case (.get, _) where path.hasPrefix("/page/"), (.head, _) where path.hasPrefix("/page/"):
            return .response(file(String(path.dropFirst(6)), request))
        case (.post, "/api/enter"): return await withBody(request) { await self.enter($0, request) }
        case (.post, "/api/ask"): return await withBody(request) { await self.ask($0, request, channel) }
        case (.post, "/api/asked"): return await withBody(request) { await self.asked($0, channel) }
        case (_, _) where path.hasPrefix("/api/"): return await answerBrowser(request, path)
        default: return .closing(.error(.notFound, HostError(.invalidArgument, "There is no such page.")))
        }
    }

    /// Answers a browser that must have entered.
    private func answerBrowser(_ request: Request, _ path: String) async -> Answer {
        guard let cookie = Self.cookie(request), let browser = await commands.browsers.browser(cookie: cookie) else {
            return .closing(
                .error(
                    .unauthorized,
                    HostError(
                        .authorizationRequired, "This browser may not use the page yet.",
                        remedy: "Run `mdhost page` at the computer.")))
        }
        guard isInTime(browser.id) else {
            return .closing(.error(.tooManyRequests, HostError(.limitExceeded, "Too many requests at once.")))
        }
        switch (request.method, path) {
        case (.get, "/api/events"): return .events(browser)
        case (.get, "/api/state"): return .response(await state(for: browser))
        case (.post, "/api/upload"):
            guard browser.role >= .control else {
                return .closing(.error(.forbidden, PageCommands.notAllowed(.control)))
            }
            let (response, isRead) = await upload(request, from: browser)
            return isRead ? .response(response) : .breaking(response)
        case (.get, _) where path.hasPrefix("/api/artwork/"): return .response(await artwork(path))
        case (.post, _) where path.hasPrefix("/api/do/"):
            let name = String(path.dropFirst(8))
            return await withBody(request) { await self.perform(name, $0, browser) }
        default: return .closing(.error(.notFound, HostError(.invalidArgument, "The page has no such address.")))
        }
    }

    private func perform(_ name: String, _ body: [UInt8], _ browser: PageBrowser) async -> PageResponse {
        guard let command = PageCommands.all[name] else {
            return .error(.notFound, HostError(.notSupported, "The page has no such command."))
        }
        guard browser.role >= command.role else { return .error(.forbidden, PageCommands.notAllowed(command.role)) }
        do throws(HostError) {
            return .json(try await commands.perform(name, try CommandArguments(json: body), for: browser))
        } catch {
            return .error(error)
        }
    }

    private func withBody(
        _ request: Request, _ body: ([UInt8]) async -> PageResponse
    ) async -> Answer {
        do throws(BoundedBody.Failure) {
            return .response(
                await body(try await BoundedBody.read(request, atMost: Self.largestBody, within: Self.bodyTime)))
        } catch {
            let tooLarge = PageResponse.error(
                .contentTooLarge, HostError(.limitExceeded, "The request is too large."))
            switch error {
            case .announcedTooLarge: return .closing(tooLarge)
            case .tooLarge: return .breaking(tooLarge)
            case .tooSlow, .broken:
                return .breaking(.error(.requestTimeout, HostError(.timedOut, "The request didn't arrive in time.")))
            }
        }
    }

    // MARK: Who asks

    private func rules(_ channel: any Channel) -> RequestRules {
        let local = NumericAddress(channel.localAddress)
        let own = local.map { [$0.urlHost] } ?? []
        return RequestRules(
            names: own + (Self.isLoopback(channel) ? names.loopback : names.network),
            port: channel.localAddress?.port ?? 0)
    }

    private static func isLoopback(_ channel: any Channel) -> Bool {
        NumericAddress(channel.localAddress)?.isLoopback ?? false
    }

    private func refused(_ refusal: RequestRules.Refusal, _ request: Request) -> PageResponse {
        let host = String((request.head.authority ?? "").prefix(80))
        let origin = String((request.headers[.origin] ?? "").prefix(80))
        if refusals.isNew("\(refusal) \(host) \(origin)") {
            commands.logger.notice(
                "Refused a request", metadata: ["reason": "\(refusal)", "host": "\(host)", "origin": "\(origin)"])
        }
        switch refusal {
        case .misdirected:
            return .error(.misdirectedRequest, HostError(.invalidArgument, "This server has another name."))
        case .foreignOrigin:
            return .error(.forbidden, HostError(.authorizationFailed, "Only the page itself may send this."))
        case .notJSON:
            return .error(.unsupportedMediaType, HostError(.invalidArgument, "The request must be JSON."))
        }
    }

    /// The page's own cookie; of several of that name none, because another server of this host set one.
    private static func cookie(_ request: Request) -> String? {
        let values = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return parts.count == 2 && parts[0] == cookieName ? parts[1] : nil
        }
        return values.count == 1 && values[0].utf8.count <= 128 ? values[0] : nil
    }

    private func isInTime(_ browser: String) -> Bool {
        let now = MonotonicTime.now
        return rates.withLock { rates in
            if rates.count > 64 { rates = rates.filter { !$0.value.isFull(now: now) } }
            return rates[browser, default: RateLimit(capacity: 120, perSecond: 60, now: now)].take(now: now)
        }
    }

    // MARK: Entering

    private struct Entrance: Decodable {
        var token: String?
        var name: String?
        var secret: String?
    }

    private func enter(_ body: [UInt8], _ request: Request) async -> PageResponse {
        guard let token = Self.entrance(body)?.token, token.utf8.count <= 128 else { return Self.badEntrance }
        do throws(HostError) {
            let cookie = try await commands.browsers.enter(
                token, name: BrowserName.of(request.headers[.userAgent] ?? ""), cookie: Self.cookie(request))
            return Self.entered(cookie)
        } catch {
            return error.code == .authorizationFailed ? .error(.unauthorized, error) : .error(error)
        }
    }

    private func ask(_ body: [UInt8], _ request: Request, _ channel: any Channel) async -> PageResponse {
        guard !Self.isLoopback(channel) else { return Self.notOnLoopback }
        let name = Self.entrance(body)?.name ?? BrowserName.of(request.headers[.userAgent] ?? "")
        do throws(HostError) {
            let asked = try await commands.browsers.ask(
                name, from: NumericAddress(channel.remoteAddress)?.text ?? "?")
            return .json(
                PageJSON.object(["code": PageJSON.text(asked.code), "secret": PageJSON.text(asked.secret)]))
        } catch {
            return .error(error)
        }
    }

    private func asked(_ body: [UInt8], _ channel: any Channel) async -> PageResponse {
        guard !Self.isLoopback(channel) else { return Self.notOnLoopback }
        guard let secret = Self.entrance(body)?.secret, secret.utf8.count <= 128 else { return Self.badEntrance }
        do throws(HostError) {
            switch try await commands.browsers.outcome(secret, within: Self.askTime) {
            case .waiting: return PageResponse(status: .accepted)
            case .allowed(let cookie, _): return Self.entered(cookie)
            case .refused:
                return .error(
                    .forbidden, HostError(.authorizationFailed, "This browser wasn't accepted, or the code is too old.")
                )
            }
        } catch {
            return .error(error)
        }
    }

    private static func entrance(_ body: [UInt8]) -> Entrance? {
        try? JSONDecoder().decode(Entrance.self, from: Data(body))
    }

    private static let badEntrance = PageResponse.error(
        .badRequest, HostError(.invalidArgument, "The request names no token."))
    private static let notOnLoopback = PageResponse.error(
        .forbidden,
        HostError(
            .authorizationRequired, "On this computer, open the page with `mdhost page`.", remedy: "Run `mdhost page`.")
    )

    /// - Parameter cookie: Of a new browser; `nil` for one that keeps its own.
    private static func entered(_ cookie: String?) -> PageResponse {
        var response = PageResponse(status: .noContent)
        if let cookie {
            // 400 days, the most that browsers keep one.
            response.fields[.setCookie] = "\(cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000"
        }
        return response
    }

    // MARK: The page itself

    private func file(_ name: String, _ request: Request) -> PageResponse {
        guard let file = files(name) else {
            return .error(.notFound, HostError(.fileNotFound, "The page has no such file."))
        }
        var response = PageResponse(status: .ok)
        response.fields[.eTag] = file.tag
        response.fields[.cacheControl] = file.cacheControl
        if let links = file.links, let name = HTTPField.Name("Link") { response.fields[name] = links }
        if request.headers[.ifNoneMatch] == file.tag {
            response.status = .notModified
            return response
        }
        response.fields[.contentType] = file.type
        if request.method == .get { response.body = file.content }
        return response
    }

    // MARK: The state

    /// The state as it is now: a page shows it before its worker has started and opened the stream.
    private func state(for browser: PageBrowser) async -> PageResponse {
        // Without a connection to the daemon, it is made while the page's files are loaded.
        await commands.link.retain(answersPrompts: false)
        let state = await commands.hub.current(for: browser)
        await commands.link.release(answersPrompts: false)
        return state.map(PageResponse.json) ?? PageResponse(status: .noContent)
    }

    private func stream(_ request: Request, _ browser: PageBrowser, _ writer: consuming ResponseWriter) async throws {
        let viewer: (number: Int, signals: AsyncStream<Void>)
        do throws(HostError) {
            viewer = try await commands.hub.open(browser)
        } catch {
            return try await write(.error(error), writer)
        }
        await commands.browsers.noteSeen(browser.id)
        let answersPrompts = browser.role >= .control
        await commands.link.retain(answersPrompts: answersPrompts)
        var fields = HTTPFields()
        fields[.contentType] = "text/event-stream"
        do {
            var body = try await writer.writeHead(PageResponse.head(.ok, fields))
            let hub = commands.hub
            let last = request.headers[values: .lastEventID].first.flatMap(EventID.init)
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                var cursor = last
                for await _ in viewer.signals {
                    let batch = await hub.next(viewer.number, after: cursor)
                    cursor = batch.cursor
                    try await body.write(ByteBuffer(string: batch.text.isEmpty ? ": \n\n" : batch.text))
                    if batch.isLast { break }
                }
            }
            try await body.finish(nil)
        } catch {
            await close(viewer.number, answersPrompts)
            throw error
        }
        await close(viewer.number, answersPrompts)
        // The stream is the last of its connection.
        throw Unread()
    }

    private func close(_ viewer: Int, _ answersPrompts: Bool) async {
        await commands.hub.close(viewer)
        await commands.link.release(answersPrompts: answersPrompts)
    }
}

extension HTTPField.Name {
    fileprivate static var lastEventID: Self { .lastEventIDField ?? .eTag }
    private static let lastEventIDField = HTTPField.Name("Last-Event-ID")
}
