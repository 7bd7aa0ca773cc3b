import HostInterface
import LinkProtocol

extension MediaHost {
    /// The highest number of announcements. An extension needs one for each local address that its devices see.
    private static let mostAnnouncements = 8

    /// Announces a service of an extension, if that is allowed.
    func announce(_ key: BrowserKey, _ request: AnnounceRequest) {
        // A number that is in use says nothing of a second service.
        guard !services.announcements.isRunning(key) else { return }
        let refusal = refusal(of: request, from: key.identifier)
        let task = Task { [announcer, runner] in
            if let refusal {
                _ = await runner.tell(
                    .announcementEvents(announcement: key.browser, [refusal]), to: key.identifier)
            } else if let announcer {
                for await event in await announcer.announce(request) {
                    let call = ExtensionCall.announcementEvents(announcement: key.browser, [event])
                    guard await runner.tell(call, to: key.identifier) else { break }
                }
            }
            // The canceller has removed it, and its number may belong to another by now.
            if !Task.isCancelled { services.announcements.finished(key) }
        }
        services.announcements.begin(key, task)
    }

    private func refusal(of request: AnnounceRequest, from identifier: String) -> AnnounceEvent? {
        let status = statuses[identifier]
        guard status?.announcedServices.contains(request.type) == true else {
            return .failed(
                .notDeclared,
                "\(status?.name ?? identifier) may not announce \(request.type): add it to MDHostAnnouncedServices in its Info.plist."
            )
        }
        guard services.announcements.count(of: identifier) < Self.mostAnnouncements else {
            return .failed(.tooMany, "An extension announces \(Self.mostAnnouncements) services at most.")
        }
        if announcer == nil { return .failed(.unsupported, "This host announces nothing.") }
        return nil
    }
}
