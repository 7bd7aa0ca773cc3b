import Foundation
import HostInterface
import LinkProtocol

/// A Bluetooth order of an extension.
struct BluetoothWork {
    let task: Task<Void, Never>
    /// The stream of replies to the order: a person's answers, pause and resume.
    let replies: AsyncStream<BluetoothOrder>.Continuation
}

/// The state of a Bluetooth scan.
enum BluetoothLook {
    /// The scan hasn't started, or can't.
    case none
    case underWay
    /// Its devices are listed, as long as the list is good.
    case complete
}

extension MediaHost {
    /// Starts an order of an extension, or passes a reply to a running one.
    func order(_ key: BrowserKey, _ order: BluetoothOrder) {
        switch order.verb {
        case .cancel: endBluetooth(key)
        case .reply, .pause, .resume, .describe: bluetoothWork[key]?.replies.yield(order)
        case .browse, .pair, .connect, .disconnect, .setVolume, .setMuted, .play: begin(key, order)
        }
    }

    private func begin(_ key: BrowserKey, _ order: BluetoothOrder) {
        endBluetooth(key)
        let isLook = order.verb == .browse && order.device != ComputerSound.device
        if isLook { forgetBluetoothSightings() }
        let (replies, feed) = AsyncStream.makeStream(of: BluetoothOrder.self)
        let task = Task { [bluetooth, runner] in
            let conversation: BluetoothConversation
            if let bluetooth {
                conversation = await bluetooth.begin(order)
            } else {
                let failure = BluetoothAnswer.failed("not-running", "This host has no Bluetooth.")
                conversation = BluetoothConversation(
                    answers: AsyncStream {
                        $0.yield(failure); $0.finish()
                    })
            }
            let replying = Task { for await reply in replies { conversation.reply(reply) } }
            for await answer in conversation.answers {
                if isLook {
                    noteBluetoothLook(answer)
                    noteBluetoothSighting(answer)
                }
                let call = ExtensionCall.bluetoothAnswers(request: key.browser, [answer])
                guard await runner.tell(call, to: key.identifier), !answer.isLast else { break }
            }
            replying.cancel()
            if !Task.isCancelled { bluetoothWork[key] = nil }
        }
        bluetoothWork[key] = BluetoothWork(task: task, replies: feed)
    }

    /// Extends a discovery that includes Bluetooth, which takes longer.
    private func noteBluetoothLook(_ answer: BluetoothAnswer) {
        switch answer.kind {
        case .ready where bluetoothLook == .none && isLooking:
            bluetoothLook = .underWay
            lookIsIncomplete()
        case .waiting, .failed: bluetoothLook = .none
        default: break
        }
    }

    /// Drops all sightings: a new browse reports everything again.
    private func forgetBluetoothSightings() {
        for task in bluetoothSilences.values { task.cancel() }
        bluetoothSilences = [:]
        bluetoothPresence = BluetoothPresence()
    }

    /// Records a sighting; bluetoothd also reports paired devices that are switched off.
    private func noteBluetoothSighting(_ answer: BluetoothAnswer) {
        for address in bluetoothPresence.apply(answer) {
            bluetoothSilences.removeValue(forKey: address)?.cancel()
            if bluetoothPresence.isFading(address) {
                bluetoothSilences[address] = Task { [clock, timing] in
                    guard (try? await clock.sleep(for: timing.bluetoothSilence)) != nil, !Task.isCancelled else {
                        return
                    }
                    bluetoothSilences[address] = nil
                    bluetoothPresence.expire(address)
                    concludeBluetooth(address)
                }
            } else {
                concludeBluetooth(address)
            }
        }
    }

    private func concludeBluetooth(_ address: String) {
        for device in registry.all
        where isLooking && device.description.endpoints.contains(where: { BluetoothPresence.address($0) == address }) {
            conclude(device.id, bluetoothPresence.isThere(device.description.endpoints))
        }
    }

    private func endBluetooth(_ key: BrowserKey) {
        guard let work = bluetoothWork.removeValue(forKey: key) else { return }
        work.replies.finish()
        work.task.cancel()
    }

    /// Ends the orders of an extension whose process exited.
    func endBluetooth(of identifier: String) {
        for key in bluetoothWork.keys where key.identifier == identifier { endBluetooth(key) }
    }

    /// Removes the bond from other devices. A device with private addresses has another address after bluetoothd
    /// restarted.
    func withdrawOthers(withBond credential: Data, than device: String) async throws {
        guard BluetoothBond.address(credential) != nil else { return }
        for other in paired where other != device {
            if try await store.credential(device: other) == credential { try await erase(other) }
        }
    }

    /// Removes the bond of a forgotten device, which is stored elsewhere.
    func forgetBond(_ id: String) async throws {
        if let address = try await store.credential(device: id).flatMap({ BluetoothBond.address($0) }) {
            try await bluetooth?.forget(address)
        }
    }
}
