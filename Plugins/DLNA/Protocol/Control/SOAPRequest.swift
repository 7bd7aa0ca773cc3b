/// A call of a service's action.
package struct SOAPRequest: Sendable {
    package typealias Argument = (name: String, value: String)

    package var service: URN
    package var action: String
    /// The arguments in the order of the service description. Some renderers read them by position.
    package var arguments: [Argument] = []

    /// Value of the `SOAPACTION` header, with the quotes it needs.
    package var actionHeader: String { "\"\(service)#\(action)\"" }

    /// The envelope, UTF-8, arguments escaped.
    ///
    /// - Source: UPnP Device Architecture 1.1, section 3.2.1.
    package var body: String {
        var text = #"<?xml version="1.0" encoding="utf-8"?>"#
        text += #"<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/""#
        text += #" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>"#
        text += #"<u:\#(action) xmlns:u="\#(service)">"#
        for argument in arguments {
            text += "<\(argument.name)>\(XMLText.escaped(argument.value))</\(argument.name)>"
        }
        return text + "</u:\(action)></s:Body></s:Envelope>"
    }
}
