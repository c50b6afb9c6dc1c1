/// The limits after which a sender moves to the next key.
package struct RekeyPolicy: Hashable, Sendable {
    package var records: UInt64
    package var bytes: UInt64
    package var age: Duration

    package init(records: UInt64, bytes: UInt64, age: Duration) {
        self.records = records
        self.bytes = bytes
        self.age = age
    }

    /// The protocol's limits: 65,536 records, 1 GiB or 15 minutes, whichever is first.
    package static var standard: RekeyPolicy {
        RekeyPolicy(records: 65536, bytes: 1 << 30, age: .seconds(15 * 60))
    }
}
