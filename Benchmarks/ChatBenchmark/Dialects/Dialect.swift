import ArgumentParser

/// What a server said of messages on one line.
enum Event {
    /// The sender's messages up to this one, from 1, are durable.
    case acknowledged(through: Int)
    /// The peer's message of this number arrived.
    case delivered(Int)
}

/// The protocol of a server, for one line.
protocol Dialect {
    /// - Parameter run: Part of the ids of messages, since a hub knows an id for ever.
    init(line: Line, run: String)

    /// Waits until the person is there.
    func open(port: UInt16) throws

    /// Puts a message on the line. Numbers of a line are 1, 2, 3 …
    mutating func send(_ number: Int, to person: Person, body: String)

    /// Takes what came, and puts on the line what the protocol wants answered.
    mutating func read(_ found: (Event) -> Void) throws
}

enum DialectName: String, CaseIterable, ExpressibleByArgument {
    case hub, xmpp

    var type: any Dialect.Type {
        switch self {
        case .hub: HubDialect.self
        case .xmpp: XMPPDialect.self
        }
    }
}
