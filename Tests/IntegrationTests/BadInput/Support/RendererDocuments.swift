import Foundation

extension HostileRenderer {
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    static func description(_ manners: Manners) -> String {
        func service(_ name: String, _ events: Bool, _ document: String) -> String {
            """
            <service><serviceType>urn:schemas-upnp-org:service:\(name):1</serviceType>
            <serviceId>urn:upnp-org:serviceId:\(name)</serviceId><SCPDURL>/\(document)</SCPDURL>
            <controlURL>/control/\(name)</controlURL><eventSubURL>\(events ? "/events/\(name)" : "")</eventSubURL></service>
            """
        }
        return """
            <?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0">
            <specVersion><major>1</major><minor>0</minor></specVersion><device>
            <deviceType>urn:schemas-upnp-org:device:MediaRenderer:1</deviceType>
            <friendlyName>\(escaped(manners.name))</friendlyName><manufacturer>Nobody</manufacturer>
            <modelName>Hostile</modelName><UDN>uuid:\(manners.identifier)</UDN><serviceList>
            \(service("AVTransport", true, "transport.xml"))\(service("RenderingControl", true, "rendering.xml"))
            \(service("ConnectionManager", false, "connections.xml"))
            </serviceList></device></root>
            """
    }

    static let renderingDescription = """
        <?xml version="1.0"?><scpd xmlns="urn:schemas-upnp-org:service-1-0"><actionList><action><name>SetVolume</name>
        </action><action><name>SetMute</name></action></actionList><serviceStateTable><stateVariable><name>Volume</name>
        <dataType>ui2</dataType><allowedValueRange><minimum>0</minimum><maximum>100</maximum></allowedValueRange>
        </stateVariable></serviceStateTable></scpd>
        """

    static let transportDescription = """
        <?xml version="1.0"?><scpd xmlns="urn:schemas-upnp-org:service-1-0"><actionList><action><name>Play</name></action>
        <action><name>Pause</name></action><action><name>Seek</name></action></actionList><serviceStateTable>
        <stateVariable><name>A_ARG_TYPE_SeekMode</name><dataType>string</dataType><allowedValueList>
        <allowedValue>REL_TIME</allowedValue></allowedValueList></stateVariable></serviceStateTable></scpd>
        """

    static func envelope(_ body: String) -> String {
        """
        <?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"
        s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>\(body)</s:Body></s:Envelope>
        """
    }

    static func fault(_ code: Int) -> String {
        envelope(
            """
            <s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>
            <UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>\(code)</errorCode>
            <errorDescription>no</errorDescription></UPnPError></detail></s:Fault>
            """)
    }
}
