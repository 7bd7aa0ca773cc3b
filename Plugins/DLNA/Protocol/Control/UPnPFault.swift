/// An error a service answered with.
package struct UPnPFault: Error, Sendable, Hashable {
    /// `errorCode`; 401…499 are common to all services, 700…799 belong to the service.
    package var code: Int
    /// The device's text; often empty or just the code's standard text.
    package var text: String

    package init(code: Int, text: String = "") {
        self.code = code
        self.text = text
    }

    /// - Throws: ``DLNAError/missing(_:)`` for a SOAP fault without a UPnP error in it.
    init(_ fault: XMLElement) throws(DLNAError) {
        guard let error = fault.descendant("UPnPError"), let code = error.value("errorCode").flatMap({ Int($0) }) else {
            throw .missing("errorCode")
        }
        self.init(code: code, text: String((error.value("errorDescription") ?? "").prefix(200)))
    }

    /// "Transition not available" of AVTransport: not in this state, often only not yet.
    package var isTransitionNotAvailable: Bool { code == 701 }
}

extension UPnPFault {
    /// The meaning of an AVTransport fault for playback.
    package enum Meaning: Sendable, Hashable {
        /// The device can't play this format.
        case unsupportedFormat
        /// The device could not open the address.
        case unreachableMedia
        /// Another client uses the device or the media.
        case busy
        /// The device does not do this at all.
        case notSupported
        /// The device refused for another reason.
        case refused
    }

    package var meaning: Meaning {
        switch code {
        case 704, 714: .unsupportedFormat
        case 702, 703, 716: .unreachableMedia
        case 705, 715: .busy
        case 401, 602, 710, 712, 717: .notSupported
        default: .refused
        }
    }

    /// One sentence for people, with the device's text if it adds information.
    ///
    /// - Source: AVTransport:2, section 2.4.23; UPnP Device Architecture 1.1, table 3-3.
    package var sentence: String {
        guard let standard = Self.sentences[code] else {
            return text.isEmpty ? "The device refused with error \(code)." : "The device refused: \(text) (\(code))."
        }
        return addsSomething ? "\(standard) It says: \(text) (\(code))." : "\(standard) (\(code))"
    }

    private var addsSomething: Bool {
        guard !text.isEmpty else { return false }
        let plain = { (text: String) in text.lowercased().filter { $0.isLetter } }
        return plain(text) != plain(Self.standardTexts[code] ?? "")
    }

    private static let sentences: [Int: String] = [
        401: "The device does not know this command.",
        402: "The device did not understand the command's arguments.",
        403: "The device is not in sync with this controller.",
        501: "The device could not do it.",
        600: "The device refused a value of the command.",
        601: "The device refused a value that is out of its range.",
        602: "The device does not support this optional command.",
        603: "The device is out of memory.",
        604: "The device waits for a person to confirm something on it.",
        605: "The device refused a text that is too long.",
        606: "The device does not allow this controller to do it.",
        701: "The device cannot do that in its present state.",
        702: "The media has nothing in it that can be played.",
        703: "The device could not read the media.",
        704: "The device does not play this format.",
        705: "The device is locked by another controller.",
        706: "The device could not write.",
        707: "The media is protected.",
        708: "The device does not record this format.",
        709: "The media on the device is full.",
        710: "The device cannot jump by time in this media.",
        711: "The position lies outside the media.",
        712: "The device does not support this play mode.",
        713: "The device does not support this recording quality.",
        714: "The device refuses media of this type.",
        715: "The media is in use by somebody else.",
        716: "The device could not find anything at the address.",
        717: "The device does not support this speed.",
        718: "The device does not have this player any more.",
        719: "The media's copy protection failed on the device.",
        720: "The right to play this media has expired.",
        721: "The media may not be played this way.",
    ]

    private static let standardTexts: [Int: String] = [
        401: "Invalid Action", 402: "Invalid Args", 501: "Action Failed", 600: "Argument Value Invalid",
        601: "Argument Value Out of Range", 602: "Optional Action Not Implemented", 603: "Out of Memory",
        604: "Human Intervention Required", 605: "String Argument Too Long", 606: "Action not authorized",
        701: "Transition not available", 702: "No contents", 703: "Read error",
        704: "Format not supported for playback", 705: "Transport is locked", 706: "Write error",
        707: "Media is protected or not writable", 708: "Format not supported for recording", 709: "Media is full",
        710: "Seek mode not supported", 711: "Illegal seek target", 712: "Play mode not supported",
        713: "Record quality not supported", 714: "Illegal MIME-Type", 715: "Content 'BUSY'",
        716: "Resource not found", 717: "Play speed not supported", 718: "Invalid InstanceID", 719: "DRM error",
        720: "Expired content", 721: "Non-allowed use",
    ]
}
