import Crypto

/// The secrets that outlive the links of one migration, from its first proof. The owner keeps them in its key store until the migration has ended.
public struct MigrationKeys: Hashable, Codable, Sendable {
    /// 32 bytes that prove the next link without a PIN.
    public let resumption: [UInt8]
    /// 32 bytes that the container mixes into its keys (rule #12).
    public let package: [UInt8]

    public init(resumption: [UInt8], package: [UInt8]) {
        self.resumption = resumption
        self.package = package
    }

    init(_ keys: ChannelKeys) {
        resumption = keys.resumption.withUnsafeBytes { Array($0) }
        package = keys.package.withUnsafeBytes { Array($0) }
    }
}

// Printing or dumping keys shows none.
extension MigrationKeys: CustomStringConvertible, CustomReflectable {
    public var description: String { "the keys of a migration" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
