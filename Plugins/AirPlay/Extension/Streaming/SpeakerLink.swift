import AirPlayProtocol
import Foundation
import NIOCore

/// What has to be known to reach a receiver.
struct Speaker: Sendable, Identifiable {
    let id: UUID
    let name: String
    let access: ReceiverAccess
    /// What it shows of the media.
    let metadata: Set<AirPlayRecord.Metadata>
    let wantsEncryptedAudio: Bool
}

/// The way to a receiver while it takes part in a stream.
struct SpeakerLink: Sendable {
    let speaker: Speaker
    let connection: RTSPConnection
    let session: AudioSession
    private let remote: (seat: RemoteSeat, remotes: SpeakerRemotes)?

    /// Connects, and lets the receiver have what is sent from then on.
    ///
    /// - Parameter press: What becomes of the receiver's buttons.
    static func open(
        _ speaker: Speaker, in sender: StreamSender, _ setting: AirPlayPlaybackSession.Setting,
        press: @escaping RemoteDesk.Press
    ) async throws(AirPlayError) -> SpeakerLink {
        let connection = try await speaker.access.open(setting.timeouts)
        var seat: RemoteSeat?
        do throws(AirPlayError) {
            let encryption = speaker.wantsEncryptedAudio ? try StreamEncryption() : nil
            let session = try await AudioSession(connection, encryption: encryption)
            seat = await setting.remotes.admit(session.receiver, at: session.local, press)
            if let seat { await connection.tell(seat.headers) }
            let own = try await sender.open(speaker.id, setting.ports, at: session.local)
            let transport = try await session.begin(controlPort: own.control, timingPort: own.timing)
            await sender.connect(speaker.id, to: session.receiver, transport)
            let delay = try await session.record(await sender.nextPacket)
            await sender.listen(speaker.id, delay: delay, encryption: encryption)
            return SpeakerLink(
                speaker: speaker, connection: connection, session: session,
                remote: seat.map { (seat: $0, remotes: setting.remotes) })
        } catch {
            if let seat { await setting.remotes.leave(seat) }
            await sender.remove(speaker.id)
            await connection.close()
            throw error
        }
    }

    /// Lets the receiver go.
    func close(in sender: StreamSender) async {
        await sender.remove(speaker.id)
        // Whether it hears that is its own affair: the end of the connection tells it as well.
        _ = try? await session.end()
        await drop(in: sender)
    }

    /// Forgets a receiver that does not hear any more.
    func drop(in sender: StreamSender) async {
        await sender.remove(speaker.id)
        if let remote { await remote.remotes.leave(remote.seat) }
        await connection.close()
    }
}
