import DBus

/// The object that bluetoothd asks while a device is paired (`org.bluez.Agent1`).
///
/// It is not made the default agent: it answers for devices that this program pairs, and leaves all others to the desktop.
actor PairingAgent {
    typealias Handler = @Sendable (BluetoothPairingChallenge) async -> BluetoothPairingAnswer

    static let path = "/org/mdhost/bluetooth"
    static let interface = "org.bluez.Agent1"
    /// What it can do: show digits and take them.
    static let capability = "KeyboardDisplay"

    nonisolated let loop: DBusLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private struct Question {
        let round: Int
        let call: DBusMethodCall
        let task: Task<Void, Never>
    }

    private let objects: DBusObjectServer
    private var table = PairingTable()
    private var handlers: [BlueZIdentifier: Handler] = [:]
    private var questions: [BlueZIdentifier: Question] = [:]
    /// Unique name of bluetoothd, the only one who may ask.
    private var asker: String?

    init(loop: DBusLoop) {
        self.loop = loop
        objects = DBusObjectServer(loop: loop, objectManagerPath: Self.path)
    }

    /// Shows the agent on the connection.
    func attach(_ connection: DBusConnection) async throws(DBusError) {
        try await objects.add(path: Self.path, [(declaration(), [:])])
        try await objects.attach(connection)
    }

    func setAsker(_ name: String?) { asker = name }

    /// - Returns: Whether it was not being paired before.
    func begin(_ device: BlueZIdentifier, _ handler: @escaping Handler) -> Bool {
        guard table.begin(device) else { return false }
        handlers[device] = handler
        return true
    }

    func end(_ device: BlueZIdentifier) {
        table.end(device)
        handlers[device] = nil
        drop(device)
    }

    // MARK: What bluetoothd asks

    private func declaration() -> DBusInterface {
        func ask(
            _ member: String, _ input: [(String, String)] = [("device", "o")], _ output: [(String, String)] = [],
            _ challenge: @escaping @Sendable ([DBusValue]) -> BluetoothPairingChallenge?
        ) -> DBusMethod {
            DBusMethod(member, in: input, out: output) { [weak self] call in
                self?.assumeIsolated { $0.ask(call, challenge(call.arguments)) }
            }
        }
        return DBusInterface(
            Self.interface,
            methods: [
                DBusMethod("Release") { $0.reply() },
                ask("RequestPinCode", [("device", "o")], [("pincode", "s")]) { _ in .pinCode },
                ask("RequestPasskey", [("device", "o")], [("passkey", "u")]) { _ in .passkey },
                ask("DisplayPinCode", [("device", "o"), ("pincode", "s")]) {
                    $0[1].asString.map { .typeOnDevice($0, typed: 0) }
                },
                ask("DisplayPasskey", [("device", "o"), ("passkey", "u"), ("entered", "q")]) {
                    .typeOnDevice(
                        BluetoothPairingChallenge.digits(Optional($0[1]).unsigned() ?? 0),
                        typed: Optional($0[2]).unsigned() ?? 0)
                },
                ask("RequestConfirmation", [("device", "o"), ("passkey", "u")]) {
                    .comparison(BluetoothPairingChallenge.digits(Optional($0[1]).unsigned() ?? 0))
                },
                ask("RequestAuthorization") { _ in .authorization },
                // A device that is being paired may use its profiles at once.
                DBusMethod("AuthorizeService", in: [("device", "o"), ("uuid", "s")]) { [weak self] call in
                    self?.assumeIsolated { $0.authorize(call) }
                },
                DBusMethod("Cancel") { [weak self] call in
                    self?.assumeIsolated { $0.cancel() }
                    call.reply()
                },
            ])
    }

    private func ask(_ call: DBusMethodCall, _ challenge: BluetoothPairingChallenge?) {
        guard let challenge, let device = call.arguments.first.identifier, call.client.busName == asker,
            let handler = handlers[device], let round = table.ask(device)
        else { return call.refuse(.rejected) }
        guard challenge.wantsAnswer else {
            _ = table.answer(device, round: round)
            call.reply()
            Task { _ = await handler(challenge) }
            return
        }
        drop(device)
        let task = Task {
            let answer = await handler(challenge)
            self.answer(device, round: round, challenge, answer)
        }
        questions[device] = Question(round: round, call: call, task: task)
    }

    private func answer(
        _ device: BlueZIdentifier, round: Int, _ challenge: BluetoothPairingChallenge, _ answer: BluetoothPairingAnswer
    ) {
        guard table.answer(device, round: round), let question = questions[device], question.round == round else {
            return
        }
        questions[device] = nil
        do throws(PairingReply.Refusal) {
            switch try PairingReply(challenge, answer) {
            case .pinCode(let code): question.call.reply([.string(code)])
            case .passkey(let passkey): question.call.reply([.uint32(passkey)])
            case .nothing: question.call.reply()
            }
        } catch {
            question.call.refuse(error)
        }
    }

    private func authorize(_ call: DBusMethodCall) {
        let isOurs = call.arguments.first.identifier.map { table.isPairing($0) } ?? false
        guard call.client.busName == asker, isOurs else { return call.refuse(.rejected) }
        call.reply()
    }

    private func cancel() {
        for device in table.cancel() { drop(device) }
    }

    /// Ends what a person is being asked.
    private func drop(_ device: BlueZIdentifier) {
        guard let question = questions.removeValue(forKey: device) else { return }
        question.task.cancel()
        question.call.refuse(.cancelled)
    }
}

extension DBusMethodCall {
    fileprivate func refuse(_ refusal: PairingReply.Refusal) {
        fail(DBusError(name: refusal.rawValue, message: refusal == .rejected ? "rejected" : "cancelled"))
    }
}
