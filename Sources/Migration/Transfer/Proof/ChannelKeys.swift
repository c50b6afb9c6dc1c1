public import Crypto
import Foundation

/// The keys of a proven session: one for each direction, one for proving the next link without a PIN, and one that the container mixes in (rule #12).
public struct ChannelKeys: Sendable {
    public let sending: SymmetricKey
    public let receiving: SymmetricKey
    public let resumption: SymmetricKey
    public let package: SymmetricKey

    init(agreed: [UInt8], transcript: [UInt8], role: MigrationRole) {
        let root = HKDF<SHA256>.extract(
            inputKeyMaterial: SymmetricKey(data: agreed),
            salt: Data(SHA256.hash(data: transcript))
        )
        func key(_ label: String) -> SymmetricKey {
            HKDF<SHA256>.expand(
                pseudoRandomKey: root,
                info: Data("mystory/mig/2/link/\(label)".utf8),
                outputByteCount: 32
            )
        }
        sending = key(role.rawValue)
        receiving = key(role.other.rawValue)
        resumption = key("resume")
        package = key("package")
    }
}
