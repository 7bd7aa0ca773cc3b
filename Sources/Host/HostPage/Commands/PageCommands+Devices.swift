import Foundation
import HostClient
import HostInterface

extension PageCommands {
    /// Commands for volumes and groups.
    static let volumes: [String: Body] = [
        "volume": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            let level = try arguments.number("level", in: 0...1)
            return try await page.request { client throws(HostError) in
                try await client.setVolume(level, device: device)
            }
        },
        "step": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            let steps = Int32(try arguments.number("steps", in: -100...100))
            return try await page.request { client throws(HostError) in
                try await client.changeVolume(by: steps, device: device)
            }
        },
        "mute": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            let isMuted = try arguments.flag("muted")
            return try await page.request { client throws(HostError) in
                try await client.setMuted(isMuted, device: device)
            }
        },
        "group-volume": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            let level = try arguments.number("level", in: 0...1)
            return try await page.request { client throws(HostError) in
                try await client.setGroupVolume(level, device: device)
            }
        },
        "join": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            let other = try arguments.device("other")
            return try await page.request { client throws(HostError) in try await client.join(device, other) }
        },
        "leave": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            return try await page.request { client throws(HostError) in try await client.leave(device) }
        },
        "media-volume": { (page, arguments, _) async throws(HostError) in
            let path = try arguments.mediaSession()
            let level = try arguments.number("level", in: 0...1)
            let device = try arguments.optionalText("device")
            return try await page.request { client throws(HostError) in
                if let device {
                    try await client.setVolume(level, device: device, media: path)
                } else {
                    try await client.setVolume(level, media: path)
                }
            }
        },
    ]

    /// Commands for pairing, routes and the picker of an app.
    static let picking: [String: Body] = [
        "pair": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            return try await page.request { client throws(HostError) in try await client.pair(device) }
        },
        "answer": { (page, arguments, _) async throws(HostError) in
            try await page.hub.answer(try arguments.text("prompt"), try arguments.text("code"))
            return done
        },
        "cancel-prompt": { (page, arguments, _) async throws(HostError) in
            try await page.hub.answer(try arguments.text("prompt"), nil)
            return done
        },
        "route": { (page, arguments, _) async throws(HostError) in
            try await page.route(try arguments.device(), try arguments.optionalText("application") ?? "")
        },
        "unroute": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            let application = try arguments.optionalText("application") ?? ""
            let names = try await page.link.with { client throws(HostError) in
                try await client.unroute(device, application: application)
            }
            return json(["applications": PageJSON.text(names)])
        },
        "pick": { (page, arguments, browser) async throws(HostError) in
            guard let picker = await page.browsers.picker(of: browser.id) else {
                throw HostError(.invalidArgument, "No app is waiting for a device to be picked.")
            }
            let answer = try await page.route(try arguments.device(), picker.application)
            await page.browsers.set(nil, of: browser.id)
            return answer
        },
        "dismiss-picker": { (page, _, browser) async throws(HostError) in
            await page.browsers.set(nil, of: browser.id)
            return done
        },
        "demo": { (page, _, _) async throws(HostError) in
            try await page.helper.demo()
            return done
        },
    ]

    private func route(_ device: String, _ application: String) async throws(HostError) -> String {
        let result = try await link.with { client throws(HostError) in
            try await client.route(device, application: application)
        }
        guard result.isHandled else {
            throw HostError(.applicationDeclined, "\(result.application) doesn't play on this device now.")
        }
        return Self.json([
            "application": PageJSON.text(result.application), "problem": PageJSON.text(result.problem),
        ])
    }

    /// Commands that change what is kept of devices.
    static let keeping: [String: Body] = [
        "forget": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            return try await page.request { client throws(HostError) in try await client.forget(device) }
        },
        "rename": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            let name = try arguments.text("name")
            return try await page.request { client throws(HostError) in try await client.rename(device, to: name) }
        },
        "add": { (page, arguments, _) async throws(HostError) in
            let address = try arguments.text("address")
            let paths = try await page.link.with { client throws(HostError) in
                try await client.addDevice(address, protocolName: nil)
            }
            return json(["devices": PageJSON.text(paths.map(HostNames.deviceIdentifier))])
        },
        "remove": { (page, arguments, _) async throws(HostError) in
            let address = try arguments.text("address")
            return try await page.request { client throws(HostError) in try await client.removeDevice(address) }
        },
        "merge": { (page, arguments, _) async throws(HostError) in
            let devices = try arguments.devices("devices") ?? []
            let path = try await page.link.with { client throws(HostError) in try await client.merge(devices) }
            return json(["device": PageJSON.text(HostNames.deviceIdentifier(path))])
        },
        "split": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            let paths = try await page.link.with { client throws(HostError) in try await client.split(device) }
            return json(["devices": PageJSON.text(paths.map(HostNames.deviceIdentifier))])
        },
        "sink": { (page, arguments, _) async throws(HostError) in
            let device = try arguments.device()
            let isOn = try arguments.flag("on")
            let link = page.link
            return try await page.request { client throws(HostError) in
                if isOn { _ = try await client.addSink(device) } else { try await client.removeSink(device) }
                await link.refresh(client)
            }
        },
    ]
}
