/// A key by which addresses are signed.
package struct AddressKey: Hashable, Sendable {
    /// Names the key in addresses: a number, the next with each key.
    package let id: String
    /// 32 random bytes.
    let bytes: [UInt8]
    /// Seconds since 1970-01-01T00:00:00Z.
    let madeAt: Int64
}
