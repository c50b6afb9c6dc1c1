/// A link whose peer is proven, with what seals and opens its frames.
struct ProvenLink: Sendable {
    let link: any MigrationLink
    let peer: Handshake
    var sealing: FrameCipher
    var opening: FrameCipher
}

extension MigrationLink {
    func send(_ message: MigrationMessage) async throws {
        try await send(message.frame().body())
    }

    func send(_ message: MigrationMessage, sealing cipher: inout FrameCipher) async throws {
        try await send(cipher.seal(message.frame().body()))
    }

    /// - Throws: ``MigrationTransferError/linkLost`` where the peer closed the link.
    func message() async throws(MigrationTransferError) -> MigrationMessage {
        guard let body = try await receive() else { throw .linkLost }
        return try MigrationMessage(MigrationFrame(body: body))
    }

    /// - Throws: ``MigrationTransferError/peerNotProven`` for a frame that was changed, repeated or left out on the way.
    func message(opening cipher: inout FrameCipher) async throws(MigrationTransferError) -> MigrationMessage {
        guard let body = try await receive() else { throw .linkLost }
        return try MigrationMessage(MigrationFrame(body: cipher.open(body)))
    }
}
