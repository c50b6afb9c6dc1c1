import Crypto

/// The key of a new package's password, with what it was made of.
struct PasswordKey: Sendable {
    let salt: [UInt8]
    let cost: ScryptCost
    let key: SymmetricKey
}
