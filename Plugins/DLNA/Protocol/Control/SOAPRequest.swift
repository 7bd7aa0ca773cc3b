/// A call of a service's action.
package struct SOAPRequest: Sendable, Hashable {
    package struct Argument: Sendable, Hashable {
        package var name: String
        package var value: String
        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var service: URN
    package var action: String
    /// The arguments in the order of the service description. Some renderers read them by position.
    package var arguments: [Argument]

    package init(service: URN, action: String, arguments: [Argument] = []) {
        self.service = service
        self.action = action
        self.arguments = arguments
    }

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
