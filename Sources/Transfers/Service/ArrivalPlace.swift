package import Foundation

/// How far a body has come.
package enum ArrivalPhase: String, Hashable, Sendable, Codable {
    case receiving
    /// The body is whole and right, and gets its place now; after a crash ``ArrivalPlace/hasArrived(_:)`` tells whether it has it.
    case finishing
    case done
}

/// The record of a body that arrives, as its journal keeps it.
package protocol ArrivalRecord: ArrivingRecord {
    /// The body's, in bytes.
    var size: Int64 { get set }
    var phase: ArrivalPhase { get set }
    /// When its sender was heard of last.
    var touchedAt: Date { get set }
    /// The key of the block tags that the body is compared by; nil: by SHA-256.
    var checksumKey: Data? { get }
    /// The body did not get its place: it is whole, and is checked anew.
    mutating func returnToReceiving()
}

/// The places of bodies that arrive: their journal, where their parts lie, and how they get where they belong. Calls block: an ``Arrival``
/// makes them one after the other, off the cooperative threads.
package protocol ArrivalPlace: Sendable {
    associatedtype ID: Hashable, Sendable
    associatedtype Record: ArrivalRecord

    /// Whether the body may have its place: asked before anything is sent, and whenever a sender goes on.
    func check(_ record: Record) throws
    /// Writes a new body down. What it returned for survives a power cut, as with ``save(_:)``.
    func begin(_ record: Record) throws
    func save(_ record: Record) throws
    /// Forgets the body.
    func remove(_ record: Record) throws
    /// A new partial file for the body.
    func makePart(of record: Record) throws -> any PartialFile
    /// Opens the partial file that an earlier process made, whatever its size.
    func openPart(of record: Record) throws -> any PartialFile
    /// Gives the body its place in one step, which survives a power cut.
    func finish(_ part: any PartialFile, _ record: Record) throws
    /// Whether the body got its place, for a record whose phase is ``ArrivalPhase/finishing``.
    func hasArrived(_ record: Record) throws -> Bool
    /// Notes what the finished body is known by later. The record is saved afterwards.
    func noteArrival(_ record: inout Record) throws
    /// Whether the finished body is there unchanged.
    func isUnchanged(_ record: Record) throws -> Bool
    /// The body's name in errors.
    func name(of record: Record) -> String
    /// The error for a body of which nothing is of use any more: its sender begins anew.
    func unknown(_ id: ID) -> any Error
}

/// A sender that sends in order is told where to go on.
package struct WrongOffset: Error, Hashable {
    /// Bytes that have been written so far.
    package let expected: Int64

    package init(expected: Int64) { self.expected = expected }
}
