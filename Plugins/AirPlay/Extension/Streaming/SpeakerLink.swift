import AirPlayProtocol
import Foundation
import NIOCore

/// The access to a receiver and its properties.
struct Speaker: Sendable, Identifiable {
    let id: UUID
    let name: String
    let access: ReceiverAccess
    /// The kinds of metadata that the receiver shows.
    let metadata: Set<AirPlayRecord.Metadata>
    let wantsEncryptedAudio: Bool
}

/// The connection to a receiver of a stream.
struct SpeakerLink: Sendable {
    let speaker: Speaker
    let connection: RTSPConnection
    let session: AudioSession
    private let remote: (seat: RemoteSeat, remotes: SpeakerRemotes)?

    /// Connects to a receiver, which then gets the stream.
    ///
    /// - Parameter press: The handler of the receiver's buttons.
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
        // The answer doesn't matter: the end of the connection also ends the session.
        _ = try? await session.end()
        await drop(in: sender)
    }

    /// Removes a lost receiver from the stream.
    func drop(in sender: StreamSender) async {
        await sender.remove(speaker.id)
        if let remote { await remote.remotes.leave(remote.seat) }
        await connection.close()
    }
}
