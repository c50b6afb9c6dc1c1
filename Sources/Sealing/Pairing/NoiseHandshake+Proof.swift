extension NoiseHandshake {
    /// Writes the next message, with this end's identity proof as its payload.
    mutating func writeProof(identity: Identity, device: DeviceClaim, nowMilliseconds: Int64) throws -> [UInt8] {
        let role = role
        return try write { hash in
            try IdentityProof.make(
                identity: identity,
                role: role,
                hash: hash,
                device: device,
                nowMilliseconds: nowMilliseconds
            ).encoded
        }
    }

    /// Reads a message whose payload is the other end's identity proof. When the proof is refused, so is the message.
    mutating func readProof(_ message: [UInt8]) throws(SealingError) -> ProvenPeer {
        var next = self
        let (payload, hash) = try next.read(message)
        guard let remoteStatic = next.remoteStatic else { throw .handshakeOutOfOrder }
        let proof = try IdentityProof(decoding: payload)
        let did = try proof.verify(role: role.opposite, hash: hash, remoteStatic: remoteStatic)
        self = next
        return ProvenPeer(
            did: did,
            agreementKey: remoteStatic,
            device: proof.device,
            sentAtMilliseconds: proof.sentAtMilliseconds
        )
    }
}
