import Crypto
import Foundation
import Sealing

/// Where two phones meet at a hub: ten letters and digits that are made for one move, and that a person can read out and type.
///
/// The phone that listens registers at the hub under a key that follows from the room, and the one that dials makes the same key's id. So the hub
/// learns neither the room nor who the phones are. A room proves nobody: whoever has it can only ask to be proved (`LinkProof`).
public struct RelayRoom: Hashable, Sendable, CustomStringConvertible {
    /// Crockford's letters: none that is read as another one.
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
    /// 50 bits: rooms cannot be tried one after the other, since the hub counts who asks for ids that are not there.
    private static let length = 10

    /// Without the hyphen that ``description`` has in its middle.
    public let text: String

    /// Makes one from the system's random numbers.
    public init() {
        var generator = SystemRandomNumberGenerator()
        text = String(
            (0..<Self.length).map { _ in Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &generator)] }
        )
    }

    /// - Parameter typed: In either case, with or without hyphens; `o` is read as 0, `i` and `l` as 1.
    /// - Throws: ``MigrationTransferError/badAddress(what:)``.
    public init(_ typed: String) throws(MigrationTransferError) {
        guard typed.utf8.count <= 40 else { throw .badAddress(what: String(typed.prefix(40))) }
        let read = typed.lowercased().filter { $0 != "-" }
            .map { letter -> Character in
                switch letter {
                case "o": "0"
                case "i", "l": "1"
                default: letter
                }
            }
        guard read.count == Self.length, read.allSatisfy(Self.alphabet.contains) else { throw .badAddress(what: typed) }
        text = String(read)
    }

    /// For a person: two groups of five.
    public var description: String { "\(text.prefix(5))-\(text.suffix(5))" }

    /// The keys under which the phone that listens registers.
    ///
    /// - Throws: ``MigrationTransferError/badAddress(what:)``, which keys of the right length do not cause.
    func identity() throws(MigrationTransferError) -> Identity {
        do {
            return try Identity(signingSeed: seed("signing"), agreementSecret: seed("agreement"))
        } catch {
            throw .badAddress(what: description)
        }
    }

    private func seed(_ label: String) -> [UInt8] {
        let key = HKDF<SHA256>
            .deriveKey(
                inputKeyMaterial: SymmetricKey(data: Data(text.utf8)),
                info: Data("mystory/mig/2/room/\(label)".utf8),
                outputByteCount: 32
            )
        return key.withUnsafeBytes { Array($0) }
    }
}
