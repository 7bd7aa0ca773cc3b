import Foundation
import GoogleCastProtocol
import JSONValues

/// The media app, which plays what a sender loads.
extension ReceiverMachine {
    mutating func media(_ type: String, _ json: JSON, _ link: Link, _ now: Double) -> [Effect] {
        let request = json["requestId"]?.integer ?? 0
        if type == "LOAD" { return load(json, link, request, now) }
        if type == "GET_STATUS" {
            let status = playback.map { [$0.json(withMedia: true, now: now)] } ?? []
            return [mediaMessage(status, to: link, request)]
        }
        guard var playback, playback.asker == nil else {
            return [invalid(nil, CastNames.media, link, request)]
        }
        guard json["mediaSessionId"]?.integer == playback.session else {
            return [invalid("INVALID_MEDIA_SESSION_ID", CastNames.media, link, request)]
        }
        var others: [Effect] = []
        switch type {
        case "STOP":
            playback.end(.cancelled, now: now)
            self.playback = nil
            return mediaStatus(playback, requested: (link, request), now: now) + [.cancelFetch]
        case "PLAY": playback.setPlaying(true, now: now)
        case "PAUSE": playback.setPlaying(false, now: now)
        case "SEEK":
            guard let target = json["currentTime"]?.number, playback.duration != nil else {
                return [invalid("INVALID_PARAMS", CastNames.media, link, request)]
            }
            playback.seek(to: target, resume: json["resumeState"]?.string, now: now)
            others = [.fetch(url: playback.url, part: playback.part(now))]
        case "SET_PLAYBACK_RATE":
            guard let rate = json["playbackRate"]?.number, (0.5...2).contains(rate) else {
                return [invalid("INVALID_PARAMS", CastNames.media, link, request)]
            }
            playback.setRate(rate, now: now)
        case "EDIT_TRACKS_INFO":
            playback.activeTracks = (json["activeTrackIds"]?.array ?? []).compactMap(\.integer)
            others = [.show(.activeTracks(playback.activeTracks))] + playback.activeTrackFiles.map { .subtitles($0) }
        case "SET_VOLUME": break
        case "QUEUE_INSERT":
            playback.queue += (json["items"]?.array ?? []).compactMap { $0["media"] }.prefix(100)
        case "QUEUE_UPDATE":
            guard let jump = json["jump"]?.integer, let next = playback.jumping(jump) else {
                return [invalid("INVALID_PARAMS", CastNames.media, link, request)]
            }
            return [.cancelFetch] + open(next, for: link, request)
        default: return [invalid("INVALID_COMMAND", CastNames.media, link, request)]
        }
        self.playback = playback
        return mediaStatus(playback, requested: (link, request), now: now) + others
    }

    mutating func load(_ json: JSON, _ link: Link, _ request: Int, _ now: Double) -> [Effect] {
        let queue = (json["queueData"]?["items"]?.array ?? []).compactMap { $0["media"] }
        guard let item = json["media"] ?? queue.first, let url = item["contentUrl"]?.string ?? item["contentId"]?.string
        else {
            return [invalid("INVALID_PARAMS", CastNames.media, link, request)]
        }
        var effects: [Effect] = []
        if var previous = playback {
            if let asker = previous.asker {
                let waiting = Link(client: asker.client, sender: asker.sender, destination: asker.destination)
                effects.append(
                    send(
                        ["type": "LOAD_CANCELLED", "requestId": .number(Double(asker.request))], CastNames.media,
                        to: waiting))
            }
            previous.end(.interrupted, now: now)
            effects += mediaStatus(previous, now: now) + [.cancelFetch]
        }
        loads += 1
        var new = ReceiverPlayback(session: loads, url: url, media: item)
        // VLC sends the text "false".
        new.playsAtOnce = json["autoplay"]?.bool ?? (json["autoplay"]?.string != "false")
        new.hasTracks = settings.hasTracks
        new.startPosition = json["currentTime"]?.number ?? 0
        new.activeTracks = (json["activeTrackIds"]?.array ?? []).compactMap(\.integer)
        if settings.hasTracks, new.activeTracks.isEmpty { new.activeTracks = [1] }
        new.queue = queue.isEmpty ? [item] : Array(queue.prefix(100))
        effects += open(new, for: link, request)
        guard settings.failure != .load else {
            effects.removeLast()
            return effects + opened(loads, .failed(code: settings.loadError), now: now)
        }
        return effects
    }

    private mutating func open(_ new: ReceiverPlayback, for link: Link, _ request: Int) -> [Effect] {
        var new = new
        new.asker = ReceiverPlayback.Asker(
            client: link.client, sender: link.sender, destination: link.destination, request: request)
        playback = new
        let loading = ReceiverEvent.loading(
            url: new.url, contentType: new.media["contentType"]?.string ?? "",
            streamType: new.media["streamType"]?.string ?? "", title: new.media["metadata"]?["title"]?.string ?? "")
        return [.show(loading), .open(number: new.session, url: new.url)]
    }

    mutating func end(_ reason: CastMediaStatus.IdleReason, _ now: Double) -> [Effect] {
        guard var playback else { return [] }
        self.playback = nil
        playback.end(reason, now: now)
        return mediaStatus(playback, now: now) + [.cancelFetch]
    }

    func mediaStatus(
        _ playback: ReceiverPlayback, requested: (link: Link, number: Int)? = nil, withMedia: Bool = false, now: Double
    ) -> [Effect] {
        guard let app else { return [] }
        let status = [playback.json(withMedia: withMedia, now: now)]
        let messages = linked(to: app.transport).map { link in
            mediaMessage(status, to: link, link == requested?.link ? requested?.number ?? 0 : 0)
        }
        return messages + [.show(.playback(playback.stateName, position: playback.position(now)))]
    }

    func mediaMessage(_ status: [JSON], to link: Link, _ request: Int) -> Effect {
        send(
            ["type": "MEDIA_STATUS", "requestId": .number(Double(request)), "status": .array(status)], CastNames.media,
            to: link)
    }
}
