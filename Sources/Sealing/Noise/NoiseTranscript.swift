/// The transcript of a handshake and the keys agreed on so far: the "symmetric state" of the Noise specification,
/// section 5.2.
struct NoiseTranscript: Sendable {
    private(set) var hash: [UInt8]
    private(set) var chainingKey: [UInt8]
    private var cipher: NoiseCipher?
    private var nonce: UInt64 = 0

    init(protocolName: String) {
        let name = Array(protocolName.utf8)
        hash = name.count <= 32 ? name + [UInt8](repeating: 0, count: 32 - name.count) : Hashing.sha256(name)
        chainingKey = hash
    }

    mutating func mixHash(_ bytes: [UInt8]) { hash = Hashing.sha256(hash + bytes) }

    mutating func mixKey(_ secret: [UInt8]) {
        let outputs = Self.derive(chainingKey, secret, count: 2)
        chainingKey = outputs[0]
        use(key: outputs[1])
    }

    mutating func mixKeyAndHash(_ secret: [UInt8]) {
        let outputs = Self.derive(chainingKey, secret, count: 3)
        chainingKey = outputs[0]
        mixHash(outputs[1])
        use(key: outputs[2])
    }

    /// Adds bytes for the wire to the transcript: sealed once there is a key, in the clear before.
    mutating func seal(_ plaintext: [UInt8]) throws(SealingError) -> [UInt8] {
        guard let cipher else {
            mixHash(plaintext)
            return plaintext
        }
        let sealed = try cipher.seal(plaintext, nonce: nonce, authenticating: hash)
        nonce += 1
        mixHash(sealed)
        return sealed
    }

    mutating func open(_ sealed: ArraySlice<UInt8>) throws(SealingError) -> [UInt8] {
        guard let cipher else {
            mixHash(Array(sealed))
            return Array(sealed)
        }
        guard let plaintext = cipher.open(sealed, nonce: nonce, authenticating: hash) else { throw .handshakeFailed }
        nonce += 1
        mixHash(Array(sealed))
        return plaintext
    }

    /// The number of bytes that sealing adds now.
    var overhead: Int { cipher == nil ? 0 : NoiseCipher.tagLength }

    /// The keys for what follows the handshake: from the initiator, and to it.
    func split() -> (fromInitiator: [UInt8], toInitiator: [UInt8]) {
        let outputs = Self.derive(chainingKey, [], count: 2)
        return (outputs[0], outputs[1])
    }

    private mutating func use(key: [UInt8]) {
        cipher = NoiseCipher(key: key)
        nonce = 0
    }

    /// HKDF of the Noise specification, section 4.3: `count` outputs of 32 bytes, the chaining key as salt.
    private static func derive(_ chainingKey: [UInt8], _ secret: [UInt8], count: UInt8) -> [[UInt8]] {
        let extracted = Hashing.hmacSHA256(key: chainingKey, secret)
        var outputs: [[UInt8]] = []
        for index in 1...count {
            outputs.append(Hashing.hmacSHA256(key: extracted, (outputs.last ?? []) + [index]))
        }
        return outputs
    }
}
