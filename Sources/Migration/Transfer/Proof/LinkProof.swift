import Kernel
import Sealing

/// Proves both phones to each other on a new link, before anything else is sent on it: `Handshake` in clear, `AuthPIN`, then `Handshake` sealed.
struct LinkProof: Sendable {
    /// Pings and messages of later versions that one step passes over; a stranger must not keep a link for ever.
    private static let maximumPassedOver = 256

    let profile: MigrationProfile
    let credentials: MigrationCredentials
    let dials: Bool
    let timing: MigrationTiming
    let time: any TimeSource

    /// - Parameter secret: What the old phone proves itself with; nil on the new phone.
    /// - Throws: ``MigrationTransferError``, and errors of storing the keys.
    func run(on link: any MigrationLink, secret: SourceSecret?) async throws -> ProvenLink {
        let (own, peer) = try await greet(on: link)
        let (keys, method) =
            if let secret {
                (try await proveSource(with: secret, own: own, peer: peer, on: link), secret.method)
            } else {
                try await proveTarget(own: own, peer: peer, on: link)
            }
        let proven = try await introduce(keys, own: own, peer: peer, on: link)
        try await credentials.proven(keys, isResumption: method == .resume)
        link.allowBodies(ofBytes: MigrationFrame.maximumTotalBytes + FrameCipher.overhead)
        return proven
    }

    /// Exchanges the handshakes in clear; the side that dials begins.
    private func greet(on link: any MigrationLink) async throws -> (own: Handshake, peer: Handshake) {
        var own = profile.handshake(
            sessionID: Hexadecimal.encode(RandomBytes.make(16)),
            nonce: RandomBytes.make(16)
        )
        if dials { try await link.send(.handshake(own.beforeAuthentication)) }
        let answer = try await next(on: link, within: dials ? timing.firstAnswer : timing.proofStep)
        guard case .handshake(let peer) = answer else {
            throw MigrationTransferError.unexpectedMessage(type: answer.type)
        }
        if !dials {
            own.sessionID = peer.sessionID
            // Sent also to a peer of the same role or another version, which can then say so to its person.
            guard peer.sessionID.utf8.count <= 64 else {
                throw MigrationTransferError.malformedMessage(what: "Handshake")
            }
            try await link.send(.handshake(own.beforeAuthentication))
        }
        guard peer.protocolVersion == own.protocolVersion else {
            throw MigrationTransferError.unsupportedProtocol(theirs: peer.protocolVersion, ours: own.protocolVersion)
        }
        guard peer.role != own.role else { throw MigrationTransferError.sameRole }
        return (own, peer)
    }

    private func proveSource(
        with secret: SourceSecret,
        own: Handshake,
        peer: Handshake,
        on link: any MigrationLink
    ) async throws -> ChannelKeys {
        let (method, bytes): (AuthPIN.Method, [UInt8])
        switch secret {
        case .code(let code): return try await proveSource(scanned: code, own: own, peer: peer, on: link)
        case .pin(let pin): (method, bytes) = (.pin, Array(pin.digits.utf8))
        case .resumption(let key): (method, bytes) = (.resume, key)
        }
        var proof = try PeerProof(method: method, secret: bytes, own: own, peer: peer)
        try await link.send(.authPIN(AuthPIN(.share, data: proof.share, method: method)))
        let tag = try proof.take(share: try await step(.share, on: link))
        await credentials.spendEntry()
        try await link.send(.authPIN(AuthPIN(.confirm, data: tag)))
        return try proof.take(tag: try await step(.confirm, on: link))
    }

    private func proveSource(
        scanned code: MigrationCode,
        own: Handshake,
        peer: Handshake,
        on link: any MigrationLink
    ) async throws -> ChannelKeys {
        var proof = try CodeProof(scanned: code, own: own, peer: peer)
        try await link.send(.authPIN(AuthPIN(.share, data: try proof.write(), method: .qr)))
        try proof.read(try await step(.share, on: link))
        return try proof.finish(role: .source)
    }

    private func proveTarget(
        own: Handshake,
        peer: Handshake,
        on link: any MigrationLink
    ) async throws -> (ChannelKeys, AuthPIN.Method) {
        let auth = try await authPIN(on: link)
        guard auth.stage == .share, let data = auth.data?.bytes, let method = auth.method else {
            throw MigrationTransferError.unexpectedMessage(type: "AuthPIN")
        }
        do {
            switch method {
            case .pin:
                let pin = try await credentials.beginPIN()
                let proof = try PeerProof(method: .pin, secret: Array(pin.digits.utf8), own: own, peer: peer)
                return (try await finish(proof, share: data, on: link), method)
            case .resume:
                guard let keys = await credentials.keys else { throw MigrationTransferError.peerNotProven }
                let proof = try PeerProof(method: .resume, secret: keys.resumption, own: own, peer: peer)
                return (try await finish(proof, share: data, on: link), method)
            case .qr:
                let (secret, identity) = try await credentials.shownCode()
                var proof = try CodeProof(shown: secret, identity: identity, own: own, peer: peer)
                try proof.read(data)
                try await link.send(.authPIN(AuthPIN(.share, data: try proof.write())))
                return (try proof.finish(role: .target), method)
            case .unknown: throw MigrationTransferError.peerNotProven
            }
        } catch let error as MigrationTransferError {
            guard error != .linkLost else { throw error }
            let left = await credentials.attemptsLeft
            // The refusal is a courtesy; the proof has failed whether or not it arrives.
            try? await link.send(.authPIN(AuthPIN(.result, ok: false, attemptsLeft: method == .pin ? left : nil)))
            if method == .pin, error == .peerNotProven {
                throw MigrationTransferError.wrongPIN(attemptsLeft: left)
            }
            throw error
        }
    }

    /// The new phone sends its tag only to a peer whose own tag was right, so that a wrong guess learns nothing but that.
    private func finish(_ begun: PeerProof, share: [UInt8], on link: any MigrationLink) async throws -> ChannelKeys {
        var proof = begun
        let tag = try proof.take(share: share)
        try await link.send(.authPIN(AuthPIN(.share, data: proof.share)))
        let keys = try proof.take(tag: try await step(.confirm, on: link))
        try await link.send(.authPIN(AuthPIN(.confirm, data: tag)))
        return keys
    }

    /// Says the rest under the new keys. The first sealed frame that opens also shows that the peer has them.
    private func introduce(
        _ keys: ChannelKeys,
        own: Handshake,
        peer: Handshake,
        on link: any MigrationLink
    ) async throws -> ProvenLink {
        var proven = ProvenLink(
            link: link,
            peer: peer,
            sealing: FrameCipher(key: keys.sending),
            opening: FrameCipher(key: keys.receiving)
        )
        try await link.send(.handshake(own), sealing: &proven.sealing)
        let (start, limit) = (proven, timing.proofStep)
        let (whole, opening) = try await withTimeout(limit, on: time, throwing: MigrationTransferError.linkLost) {
            var opening = start.opening
            for _ in 0..<Self.maximumPassedOver {
                switch try await link.message(opening: &opening) {
                case .handshake(let whole): return (whole, opening)
                case .ping, .unknown: continue
                case let other: throw MigrationTransferError.unexpectedMessage(type: other.type)
                }
            }
            throw MigrationTransferError.unexpectedMessage(type: "Ping")
        }
        guard whole.beforeAuthentication == peer.beforeAuthentication else {
            throw MigrationTransferError.peerNotProven
        }
        try profile.checkSchema(of: whole)
        return ProvenLink(link: link, peer: whole, sealing: proven.sealing, opening: opening)
    }

    /// The bytes of the peer's next step.
    private func step(_ stage: AuthPIN.Stage, on link: any MigrationLink) async throws -> [UInt8] {
        let auth = try await authPIN(on: link)
        if auth.stage == .result, auth.ok != true {
            guard let left = auth.attemptsLeft else { throw MigrationTransferError.peerNotProven }
            throw MigrationTransferError.wrongPIN(attemptsLeft: min(max(0, left), PINAttempts.maximum))
        }
        guard auth.stage == stage, let data = auth.data?.bytes else {
            throw MigrationTransferError.unexpectedMessage(type: "AuthPIN")
        }
        return data
    }

    private func authPIN(on link: any MigrationLink) async throws -> AuthPIN {
        let answer = try await next(on: link, within: timing.proofStep)
        guard case .authPIN(let auth) = answer else {
            throw MigrationTransferError.unexpectedMessage(type: answer.type)
        }
        guard !auth.hasLegacyPIN else { throw MigrationTransferError.legacyPINRefused }
        return auth
    }

    private func next(on link: any MigrationLink, within limit: Duration) async throws -> MigrationMessage {
        try await withTimeout(limit, on: time, throwing: MigrationTransferError.linkLost) {
            for _ in 0..<Self.maximumPassedOver {
                switch try await link.message() {
                case .ping, .unknown: continue
                case let message: return message
                }
            }
            throw MigrationTransferError.unexpectedMessage(type: "Ping")
        }
    }
}
