/// A service's description of its actions and variables (SCPD).
package struct ServiceDescription: Sendable, Hashable {
    package struct Variable: Sendable, Hashable {
        /// The allowed values in document order; empty if unrestricted.
        package var allowedValues: [String]
        package var range: Range?
    }

    /// Bounds of a number, `minimum <= maximum`, `step >= 1`.
    package struct Range: Sendable, Hashable {
        package var minimum: Int
        package var maximum: Int
        package var step = 1
    }

    package var actions: Set<String>
    package var variables: [String: Variable]

    /// - Throws: ``DLNAError``; a variable that makes no sense is left out rather than failing the rest.
    /// - Source: UPnP Device Architecture 1.1, section 2.5.
    package init(parsing document: some Sequence<UInt8>) throws(DLNAError) {
        let root = try XMLReader.parse(document)
        guard root.name == "scpd" else { throw .unexpected(root.name) }
        actions = Set(root.child("actionList")?.children("action").compactMap { $0.value("name") } ?? [])
        variables = [:]
        for element in root.child("serviceStateTable")?.children("stateVariable") ?? [] {
            guard let name = element.value("name") else { continue }
            variables[name] = Variable(element)
        }
    }
}

extension ServiceDescription.Variable {
    fileprivate init(_ element: XMLElement) {
        allowedValues =
            element.child("allowedValueList")?.children("allowedValue").map(\.trimmedText).filter { !$0.isEmpty } ?? []
        range = element.child("allowedValueRange").flatMap(ServiceDescription.Range.init)
    }
}

extension ServiceDescription.Range {
    fileprivate init?(_ element: XMLElement) {
        guard let minimum = element.value("minimum").flatMap({ Int($0) }),
            let maximum = element.value("maximum").flatMap({ Int($0) }), minimum <= maximum
        else { return nil }
        self.init(
            minimum: minimum, maximum: maximum, step: max(1, element.value("step").flatMap { Int($0) } ?? 1))
    }
}

extension ServiceDescription {
    /// The range of RenderingControl's `Volume`; `nil` if the volume can't be read and set.
    ///
    /// A renderer that declares the actions without a range gets 0…100, which all such renderers use.
    package var volumeRange: Range? {
        guard actions.isSuperset(of: ["GetVolume", "SetVolume"]) else { return nil }
        let range = variables["Volume"]?.range ?? Range(minimum: 0, maximum: 100)
        return range.minimum < range.maximum ? range : nil
    }

    package var canMute: Bool { actions.isSuperset(of: ["GetMute", "SetMute"]) }

    /// The seek units of AVTransport, such as `REL_TIME`; empty if it can't seek.
    package var seekModes: Set<String> {
        guard actions.contains("Seek") else { return [] }
        return Set(variables["A_ARG_TYPE_SeekMode"]?.allowedValues ?? ["REL_TIME"])
    }
}
