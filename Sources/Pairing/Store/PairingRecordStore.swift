public import Foundation

/// Keeps paired devices, and tells its readers about each change.
public protocol PairingRecordStore<Record>: Sendable {
    /// Computers or phones.
    associatedtype Record: PairingRecord

    /// All records, last seen first. Records that can no longer be read are left out.
    func all() async throws -> [Record]
    /// The record with this id; nil when there is none, or it can no longer be read.
    func record(_ id: Record.ID) async throws -> Record?
    /// Adds the record, or merges it over the one with its id; see ``PairingRecord/replacing(_:)``.
    ///
    /// - Returns: The record as it is now on disk.
    @discardableResult
    func save(_ record: Record) async throws -> Record
    /// Changes the record with this id, if there is one, in one step.
    @discardableResult
    func update(_ id: Record.ID, _ change: @escaping @Sendable (inout Record) -> Void) async throws -> Record?
    /// Removes the record, if there is one, so that a restart does not bring it back.
    func remove(_ id: Record.ID) async throws
    /// Removes every record, so that a restart does not bring one back.
    func removeAll() async throws
    /// The list now, then the list after each change; a slow reader misses lists, never the last one.
    func list() -> AsyncStream<[Record]>
}

/// The computers that a phone is paired with.
public protocol PairedDesktopsStore: PairingRecordStore where Record == PairedDesktop {}

/// The phones that a computer is paired with.
public protocol PairedPhonesStore: PairingRecordStore where Record == PairedPhone {}

extension PairingRecordStore {
    /// Removes records that stayed provisional for too long.
    ///
    /// - Returns: The removed records.
    @discardableResult
    public func removeOver(at now: Date) async throws -> [Record] {
        let over = try await all().filter { $0.isOver(at: now) }
        for record in over { try await remove(record.id) }
        return over
    }
}
