public import Crypto
import Foundation

/// Seals or opens the frames of one direction: AES-256-GCM with the frame's number as nonce. A frame that is missing, repeated or out of order does not open.
public struct FrameCipher: Sendable {
    /// Bytes that sealing adds to a frame.
    public static let overhead = 16

    private let key: SymmetricKey
    private var number: UInt64 = 0

    public init(key: SymmetricKey) { self.key = key }

    /// - Throws: `CryptoKitError`, which a key of the right size does not cause.
    public mutating func seal(_ frame: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(frame, using: key, nonce: try nonce())
        number += 1
        var sealed: [UInt8] = []
        sealed.reserveCapacity(frame.count + Self.overhead)
        sealed += box.ciphertext
        sealed += box.tag
        return sealed
    }

    /// - Throws: ``MigrationTransferError/peerNotProven``. The link cannot be read on after that.
    public mutating func open(_ sealed: [UInt8]) throws(MigrationTransferError) -> [UInt8] {
        guard sealed.count >= Self.overhead else { throw .peerNotProven }
        do {
            let box = try AES.GCM.SealedBox(
                nonce: try nonce(),
                ciphertext: sealed.dropLast(Self.overhead),
                tag: sealed.suffix(Self.overhead)
            )
            let frame = Array(try AES.GCM.open(box, using: key))
            number += 1
            return frame
        } catch {
            throw .peerNotProven
        }
    }

    private func nonce() throws -> AES.GCM.Nonce {
        var bytes = [UInt8](repeating: 0, count: 4)
        bytes.append(bigEndian: number)
        return try AES.GCM.Nonce(data: bytes)
    }
}
