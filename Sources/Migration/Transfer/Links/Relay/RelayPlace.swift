public import Foundation
import Signaling

/// A room at a hub, as it is shown and typed: `wss://hub.example.net#7kq2m-x94fd`. The part behind `#` is never sent to the hub.
public struct RelayPlace: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of a place's text.
    private static let maximumLength = 300

    /// The hub's address, `wss:`, or `ws:` in the local network.
    public let hub: URL
    public let room: RelayRoom

    /// - Throws: ``MigrationTransferError/badAddress(what:)`` for an address that may not be dialled.
    public init(hub: URL, room: RelayRoom) throws(MigrationTransferError) {
        let text = hub.absoluteString
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy(Self.isPlain), hub.fragment == nil,
            hub.user == nil, hub.password == nil,
            (try? SignalURLPolicy().check(hub)) != nil
        else { throw .badAddress(what: String(text.prefix(Self.maximumLength))) }
        (self.hub, self.room) = (hub, room)
    }

    /// - Throws: ``MigrationTransferError/badAddress(what:)``.
    public init(_ text: String) throws(MigrationTransferError) {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumLength, parts.count == 2, text.utf8.allSatisfy(Self.isPlain),
            let hub = URL(string: String(parts[0]))
        else {
            throw .badAddress(what: String(text.prefix(Self.maximumLength)))
        }
        try self.init(hub: hub, room: try RelayRoom(String(parts[1])))
    }

    /// Letters, digits and what an address is made of, so that a place can be shown as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/[]#".utf8.contains(byte)
        }
    }

    /// The hub's name as a person knows it, for sentences.
    var hubName: String { hub.host(percentEncoded: false) ?? hub.absoluteString }

    public var description: String { "\(hub.absoluteString)#\(room)" }
}
