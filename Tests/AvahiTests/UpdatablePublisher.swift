import CAvahi

@testable import Avahi

/// Publishes one service whose TXT record can change while it stays registered, which `avahi-publish` cannot.
actor UpdatablePublisher {
    private let name: String
    private let type: String
    private let loop: AvahiLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var client: OpaquePointer?
    private var group: OpaquePointer?

    init(name: String, type: String) throws {
        self.name = name
        self.type = type
        loop = try AvahiLoop()
    }

    isolated deinit {
        if let client { avahi_client_free(client) }
    }

    func publish(port: UInt16, txt: String) throws(AvahiError) {
        var number: Int32 = 0
        client = avahi_client_new(loop.pollInterface, AvahiClientFlags(0), { _, _, _ in }, nil, &number)
        guard let client else { throw AvahiError(number: number) }
        group = avahi_entry_group_new(client, { _, _, _ in }, nil)
        try check(
            withRecord(txt) { record in
                avahi_entry_group_add_service_strlst(
                    group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name,
                    type, nil, nil, port, record)
            })
        try check(avahi_entry_group_commit(group))
    }

    func update(txt: String) throws(AvahiError) {
        try check(
            withRecord(txt) { record in
                avahi_entry_group_update_service_txt_strlst(
                    group, AvahiIfIndex(AVAHI_IF_UNSPEC), AvahiProtocol(AVAHI_PROTO_UNSPEC), AvahiPublishFlags(0), name,
                    type, nil, record)
            })
    }

    private func withRecord(_ text: String, _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Int32) -> Int32 {
        let record = avahi_string_list_add(nil, text)
        defer { avahi_string_list_free(record) }
        return body(record)
    }

    private func check(_ result: Int32) throws(AvahiError) {
        if result < 0 { throw AvahiError(number: result) }
    }
}
