import Foundation

/// An XMPP server (RFC 6120) with acknowledgements of its stream (XEP-0198), which say what is in the archive (XEP-0313). Fixed texts, and as much
/// reading of XML as what comes then needs: no parser.
struct XMPPDialect: Dialect {
    private static let acknowledge = "urn:xmpp:sm:3"
    private static let stream =
        "<stream:stream to='localhost' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"

    private let line: Line
    private let run: String
    /// Stanzas that came since acknowledgements are on, which the server asks for.
    private var stanzas = 0

    init(line: Line, run: String) {
        self.line = line
        self.run = run
    }

    func open(port: UInt16) throws {
        let login = Data("\0\(line.person.id)\0\(line.person.secret)".utf8).base64EncodedString()
        try line.exchange(Self.stream, until: "</stream:features>")
        try line.exchange(
            "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>\(login)</auth>",
            until: "<success"
        )
        try line.exchange(Self.stream, until: "</stream:features>")
        try line.exchange(
            "<iq type='set' id='b'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>b</resource></bind></iq>",
            until: "</iq>"
        )
        try line.exchange("<enable xmlns='\(Self.acknowledge)'/>", until: "<enabled")
        try line.exchange("", until: ">")
        line.put(Array("<presence/>".utf8))
        try line.flush()
    }

    func send(_ number: Int, to person: Person, body: String) {
        line.put(
            Array(
                "<message to='\(person.id)@localhost' id='\(run)-\(number)' type='chat'><body>\(body)</body></message><r xmlns='\(Self.acknowledge)'/>"
                    .utf8
            )
        )
    }

    mutating func read(_ found: (Event) -> Void) throws {
        while let (name, element) = next() {
            switch name {
            case "a":
                // The person's own presence was the first stanza.
                guard let through = Self.number(in: element, after: [" h='", " h=\""]) else { break }
                if through > 1 { found(.acknowledged(through: through - 1)) }
            case "r":
                line.put(Array("<a xmlns='\(Self.acknowledge)' h='\(stanzas)'/>".utf8))
            case "message":
                stanzas += 1
                let head = element[...(element.firstIndex(of: UInt8(ascii: ">")) ?? element.endIndex - 1)]
                if let number = Self.number(in: head, after: [" id='\(run)-", " id=\"\(run)-"]) {
                    found(.delivered(number))
                }
            case "presence", "iq": stanzas += 1
            case "stream:error", "/stream:stream":
                throw LoadError.refused(
                    person: line.person.id,
                    answer: String(decoding: element.prefix(400), as: UTF8.self)
                )
            default: break
            }
            line.take(element.endIndex - line.unread.startIndex)
        }
    }

    private static func number(in text: ArraySlice<UInt8>, after texts: [String]) -> Int? {
        for pattern in texts.map({ Array($0.utf8) }) {
            if let at = text.first(pattern), let number = text.number(at: at + pattern.count) { return number }
        }
        return nil
    }

    /// The next whole element and its name.
    private func next() -> (name: String, element: ArraySlice<UInt8>)? {
        let bytes = line.unread
        guard let start = bytes.firstIndex(of: UInt8(ascii: "<")),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        let head = bytes[start + 1..<end]
        let name = head.prefix { $0 != UInt8(ascii: " ") }
        let slash = UInt8(ascii: "/")
        if head.last == slash || head.first == slash || head.first == UInt8(ascii: "?") {
            let bare = name.last == slash ? name.dropLast() : name
            return (String(decoding: bare, as: UTF8.self), bytes[start...end])
        }
        let text = String(decoding: name, as: UTF8.self)
        let tail = Array("</\(text)>".utf8)
        guard let closing = bytes[end...].first(tail) else { return nil }
        return (text, bytes[start..<closing + tail.count])
    }
}
