public import Foundation

/// The reason why the digits on a computer's screen are found at no server now. Scanning is not affected.
public struct TypedCodeTrouble: Hashable, Sendable {
    /// The reason why a server does not lead phones here by the digits.
    public enum Reason: String, Hashable, Sendable {
        /// Too many codes were shown or tried from this network within a short time.
        case limited
        /// Another device shows the same digits there.
        case taken
        /// The server does not answer.
        case unreachable
    }

    /// The reason at the server that may soonest be of use again.
    public let reason: Reason
    /// That server's host and port.
    public let server: String
    /// When it is tried again, by this computer's clock.
    public let retriesAt: Date

    public init(reason: Reason, server: String, retriesAt: Date) {
        self.reason = reason
        self.server = server
        self.retriesAt = retriesAt
    }

    /// A sentence for the person at the computer: what happened, then what to do.
    public var sentence: String {
        switch reason {
        case .limited:
            """
            The digits do not work at the moment: the server \(server) takes no more codes from this network for now. Scan \
            the code, or wait: it is tried again by itself.
            """
        case .taken:
            """
            The digits do not work: another device shows the same ones at the server \(server). Scan the code, or make a \
            new one.
            """
        case .unreachable:
            """
            The digits do not work at the moment: the server \(server) cannot be reached. Scan the code, or wait: it is \
            tried again by itself.
            """
        }
    }
}

/// The registration of a computer's digits at one server.
public enum PairingAliasStanding: Hashable, Sendable {
    /// The server has not answered yet.
    case asking
    /// The digits are registered: phones that ask there find this computer.
    case held
    case failed(TypedCodeTrouble)
}

extension Collection<PairingAliasStanding> {
    /// The trouble to show when no server leads here; nil when one does, or one has not answered yet.
    var trouble: TypedCodeTrouble? {
        let troubles = compactMap { if case .failed(let trouble) = $0 { trouble } else { nil as TypedCodeTrouble? } }
        guard troubles.count == count else { return nil }
        return troubles.min { ($0.reason.rank, $0.retriesAt) < ($1.reason.rank, $1.retriesAt) }
    }
}

extension TypedCodeTrouble.Reason {
    /// The order in which reasons are expected to be over, soonest first.
    fileprivate var rank: Int {
        switch self {
        case .limited: 0
        case .unreachable: 1
        case .taken: 2
        }
    }
}
