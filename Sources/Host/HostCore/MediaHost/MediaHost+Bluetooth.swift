import Foundation
import HostInterface

/// What an extension ordered of Bluetooth.
struct BluetoothWork {
    let task: Task<Void, Never>
    /// Takes the person's answers.
    let replies: AsyncStream<BluetoothOrder>.Continuation
}

extension MediaHost {
    /// Carries out an order of an extension, or hands on a reply to one that is under way.
    func order(_ key: BrowserKey, _ order: BluetoothOrder) {
        switch order.verb {
        case .cancel: endBluetooth(key)
        case .reply: bluetoothWork[key]?.replies.yield(order)
        case .browse, .pair, .connect, .disconnect, .setVolume: begin(key, order)
        }
    }

    private func begin(_ key: BrowserKey, _ order: BluetoothOrder) {
        endBluetooth(key)
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
                let call = ExtensionCall.bluetoothAnswers(request: key.browser, [answer])
                guard await runner.tell(call, to: key.identifier), !answer.isLast else { break }
            }
            replying.cancel()
            if !Task.isCancelled { bluetoothWork[key] = nil }
        }
        bluetoothWork[key] = BluetoothWork(task: task, replies: feed)
    }

    private func endBluetooth(_ key: BrowserKey) {
        guard let work = bluetoothWork.removeValue(forKey: key) else { return }
        work.replies.finish()
        work.task.cancel()
    }

    /// The extension's process is gone, and with it whoever waited.
    func endBluetooth(of identifier: String) {
        for key in bluetoothWork.keys where key.identifier == identifier { endBluetooth(key) }
    }

    /// The bond with a device that is forgotten goes too: it is kept elsewhere.
    func forgetBond(_ id: String) async throws {
        guard let credential = try await store.credential(device: id).flatMap({ String(data: $0, encoding: .utf8) }),
            let address = BluetoothBond.address(credential)
        else { return }
        try await bluetooth?.forget(address)
    }
}
