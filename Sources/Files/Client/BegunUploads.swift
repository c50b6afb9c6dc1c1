import Synchronization

/// Uploads of one call that the computer keeps parts of, so that a person who gives the call up leaves nothing there.
final class BegunUploads: Sendable {
    /// What the journal holds of each, by the computer's name for the transfer.
    private let records = Mutex<[String: String?]>([:])

    func began(_ transfer: String, record: String? = nil) {
        records.withLock { _ = $0.updateValue(record, forKey: transfer) }
    }

    func ended(_ transfer: String) { records.withLock { _ = $0.removeValue(forKey: transfer) } }

    func takeAll() -> [String: String?] {
        records.withLock { records in
            defer { records = [:] }
            return records
        }
    }
}
