/// An encoder that writes into one node.
struct NodeEncoder: Encoder {
    let node: EncodingNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A type may ask for its container more than once, as the parts of an inheriting class do.
        if case .keyed = node.content {} else { node.content = .keyed([:]) }
        return KeyedEncodingContainer(KeyedNode(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .unkeyed = node.content {} else { node.content = .unkeyed([]) }
        return UnkeyedNode(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleNode(node: node, codingPath: codingPath) }
}

private struct KeyedNode<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodingNode
    let codingPath: [any CodingKey]

    private func child(_ key: some CodingKey) -> NodeEncoder {
        let child = EncodingNode()
        if case .keyed(var nodes) = node.content {
            node.content = .nothing
            nodes[key.stringValue] = child
            node.content = .keyed(nodes)
        }
        return NodeEncoder(node: child, codingPath: codingPath + [key])
    }

    func encodeNil(forKey key: Key) {}

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let child = child(key)
        try child.node.fill(with: value, at: child.codingPath)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { child(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { child(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { child(NodeKey("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { child(key) }
}

private struct UnkeyedNode: UnkeyedEncodingContainer {
    let node: EncodingNode
    let codingPath: [any CodingKey]

    var count: Int { if case .unkeyed(let nodes) = node.content { nodes.count } else { 0 } }

    private func child() -> NodeEncoder {
        let child = EncodingNode()
        let path = codingPath + [NodeKey(count)]
        if case .unkeyed(var nodes) = node.content {
            node.content = .nothing
            nodes.append(child)
            node.content = .unkeyed(nodes)
        }
        return NodeEncoder(node: child, codingPath: path)
    }

    func encodeNil() { child().node.content = .null }

    func encode(_ value: some Encodable) throws {
        let child = child()
        try child.node.fill(with: value, at: child.codingPath)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        child().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }
    func superEncoder() -> any Encoder { child() }
}

private struct SingleNode: SingleValueEncodingContainer {
    let node: EncodingNode
    let codingPath: [any CodingKey]

    private func set(_ value: DBusValue) { node.content = .single(value) }

    func encodeNil() { node.content = .null }
    func encode(_ value: Bool) { set(.boolean(value)) }
    func encode(_ value: String) { set(.string(value)) }
    func encode(_ value: Double) { set(.double(value)) }
    func encode(_ value: Float) { set(.double(Double(value))) }
    func encode(_ value: Int) { set(.int64(Int64(value))) }
    func encode(_ value: Int8) { set(.int16(Int16(value))) }
    func encode(_ value: Int16) { set(.int16(value)) }
    func encode(_ value: Int32) { set(.int32(value)) }
    func encode(_ value: Int64) { set(.int64(value)) }
    func encode(_ value: UInt) { set(.uint64(UInt64(value))) }
    func encode(_ value: UInt8) { set(.byte(value)) }
    func encode(_ value: UInt16) { set(.uint16(value)) }
    func encode(_ value: UInt32) { set(.uint32(value)) }
    func encode(_ value: UInt64) { set(.uint64(value)) }
    func encode(_ value: some Encodable) throws { try node.fill(with: value, at: codingPath) }
}
