import Kernel
import Logging
import Sealing
import Transport

extension WebSocketSignalClient {
    public func register(as id: String, device: SignalDevice) async throws {
        if let wanted, wanted.id != id { throw SignalError.alreadyRegistered(as: wanted.id) }
        // A second `register` on a healthy socket makes some relays close that very socket.
        if state.presence != nil { return }
        guard let channel else { throw SignalError.notConnected }
        let isNew = wanted == nil
        wanted = Wanted(id: id, device: device)
        do {
            try await performRegistration(on: channel)
        } catch {
            if isNew { wanted = nil }
            throw error
        }
    }

    /// Registers after a reconnect. A connection on which that fails is given up and made again.
    func registerAgain(on channel: any WebSocketChannel) async {
        do {
            try await performRegistration(on: channel)
        } catch is CancellationError {
            return
        } catch {
            note(error)
            channel.abort()
        }
    }

    /// Sends `register` and waits for the answer; joins a registration that is under way.
    private func performRegistration(on channel: any WebSocketChannel) async throws {
        guard let wanted else { return }
        let place = registrationAnswers.join()
        if !isRegistering {
            isRegistering = true
            registrationOutcome = nil
            do {
                let claim = identity.map { SignalRegistration.Claim(key: $0.did.text) }
                let frame = SignalRegistration(peerID: wanted.id, device: wanted.device, claim: claim)
                try await channel.send(text: SignalClientFrame.register(frame).text)
            } catch {
                isRegistering = false
                registrationAnswers.leave(place)
                throw error
            }
        }
        let limit = configuration.registrationTimeout
        do {
            try await withTimeout(limit, on: time, throwing: SignalError.timedOut(after: limit)) {
                [registrationAnswers] in
                try await registrationAnswers.wait(at: place)
            }
        } catch {
            isRegistering = false
            throw error
        }
        guard let registrationOutcome else { throw SignalError.notConnected }
        _ = try registrationOutcome.get()
    }

    func receiveRegistered(_ answer: SignalRegistered) {
        // A confirmation of another id is not for this registration.
        guard let wanted, answer.peerID == nil || answer.peerID == wanted.id else { return }
        let presence = SignalPresence(
            id: wanted.id,
            isProven: answer.isProven,
            hasBinary: answer.hasBinary,
            isTandem: answer.isTandem,
            phonePage: answer.phonePage
        )
        finishRegistration(.success(answer))
        noteRegistered()
        latestState.set(.registered(presence))
        logger.info("registered", metadata: ["proven": "\(answer.isProven)"])
    }

    func receiveChallenge(
        peerID: String?,
        nonce: [UInt8],
        bindings: [String],
        on channel: any WebSocketChannel
    ) async {
        guard let identity, let wanted, isRegistering, peerID == nil || peerID == wanted.id, nonce.count == 32 else {
            return
        }
        do {
            let binding =
                bindings.contains(ChannelBinding.serverEndPoint)
                ? channel.certificateHash.map(ChannelBinding.init) : nil
            let signature = try RegistrationProof.sign(
                identity: identity,
                peerID: wanted.id,
                nonce: nonce,
                host: channel.host,
                binding: binding
            )
            let claim = SignalRegistration.Claim(
                key: identity.did.text,
                nonce: nonce,
                signature: signature,
                binding: binding
            )
            let frame = SignalRegistration(peerID: wanted.id, device: wanted.device, claim: claim)
            try await channel.send(text: SignalClientFrame.register(frame).text)
        } catch {
            logger.debug("proof not sent", metadata: ["error": "\(error)"])
        }
    }

    func receiveRefusal(_ failure: SignalFailure) {
        let error: SignalError
        switch failure.code {
        case .proofFailed: error = .proofFailed
        case .proofRequired: error = .proofRequired
        case .keyMismatch: error = .keyMismatch
        case .aliasLimit: error = .aliasLimit(retryAfter: failure.retryAfter)
        case .aliasTaken: error = .aliasTaken
        case .other, nil: error = .registrationRefused(text: failure.text)
        }
        finishRegistration(.failure(error))
    }

    private func finishRegistration(_ outcome: Result<SignalRegistered, SignalError>) {
        isRegistering = false
        registrationOutcome = outcome
        registrationAnswers.wakeAll()
    }
}
