import Foundation
import HostInterface
import LinkProtocol

extension MediaHost {
    /// Starts an order of an extension, or passes a reply to a running one.
    func order(_ key: BrowserKey, _ order: BluetoothOrder) {
        switch order.verb {
        case .cancel: services.bluetooth.end(key)
        case .reply, .pause, .resume, .describe: services.bluetooth.send(order, to: key)
        case .browse, .pair, .connect, .disconnect, .setVolume, .setMuted, .play: begin(key, order)
        }
    }

    private func begin(_ key: BrowserKey, _ order: BluetoothOrder) {
        services.bluetooth.end(key)
        let isLook = order.verb == .browse && order.device != ComputerSound.device
        if isLook { bluetoothReach.forgetSightings() }
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
                    // A scan extends the discovery.
                    if bluetoothReach.note(answer, isLooking: isLooking) { lookIsIncomplete() }
                    noteBluetoothSighting(answer)
                }
                let call = ExtensionCall.bluetoothAnswers(request: key.browser, [answer])
                guard await runner.tell(call, to: key.identifier), !answer.isLast else { break }
            }
            replying.cancel()
            if !Task.isCancelled { services.bluetooth.finished(key) }
        }
        services.bluetooth.begin(key, task, input: feed)
    }

    /// Records a sighting; bluetoothd also reports paired devices that are switched off.
    private func noteBluetoothSighting(_ answer: BluetoothAnswer) {
        let (certain, silent) = bluetoothReach.apply(answer)
        for address in certain { concludeBluetooth(address) }
        for address in silent {
            let waiting = Task { [clock, timing] in
                guard (try? await clock.sleep(for: timing.bluetoothSilence)) != nil, !Task.isCancelled else { return }
                bluetoothReach.silenceEnded(address)
                concludeBluetooth(address)
            }
            bluetoothReach.beginSilence(of: address, waiting)
        }
    }

    private func concludeBluetooth(_ address: String) {
        for device in registry.all
        where isLooking && device.description.endpoints.contains(where: { BluetoothPresence.address($0) == address }) {
            conclude(device.id, bluetoothReach.isThere(device.description.endpoints))
        }
    }

    /// Removes the bond from other devices. A device with private addresses has another address after bluetoothd
    /// restarted.
    func withdrawOthers(withBond credential: Data, than device: String) async throws {
        guard BluetoothBond.address(credential) != nil else { return }
        for other in credentials.devices where other != device {
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
