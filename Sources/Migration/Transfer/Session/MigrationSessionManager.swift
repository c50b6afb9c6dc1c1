public import Kernel

/// The session between the two phones: links, the proof on each, what they carry, and how long a peer that is gone is waited for.
public actor MigrationSessionManager {
    private let part: any SessionPart
    private let profile: MigrationProfile
    private let credentials: MigrationCredentials
    private let links: any MigrationLinks
    private let time: any TimeSource
    private let timing: MigrationTiming
    private var isRunning = false

    /// The old phone's session.
    ///
    /// - Parameter profile: With the role `source`.
    public init(
        sending sender: PackageSender,
        as profile: MigrationProfile,
        credentials: MigrationCredentials,
        over links: any MigrationLinks,
        time: any TimeSource,
        timing: MigrationTiming = MigrationTiming()
    ) {
        self.init(part: sender, profile, credentials, links, time, timing)
    }

    /// The new phone's session.
    ///
    /// - Parameter profile: With the role `target`.
    public init(
        receiving receiver: PackageReceiver,
        as profile: MigrationProfile,
        credentials: MigrationCredentials,
        over links: any MigrationLinks,
        time: any TimeSource,
        timing: MigrationTiming = MigrationTiming()
    ) {
        self.init(part: receiver, profile, credentials, links, time, timing)
    }

    private init(
        part: any SessionPart,
        _ profile: MigrationProfile,
        _ credentials: MigrationCredentials,
        _ links: any MigrationLinks,
        _ time: any TimeSource,
        _ timing: MigrationTiming
    ) {
        self.part = part
        self.profile = profile
        self.credentials = credentials
        self.links = links
        self.time = time
        self.timing = timing
    }

    /// Runs the session until the transfer has ended, through any number of links. It may be run again after an error, one run at a time: what was received stays.
    ///
    /// - Throws: ``MigrationTransferError/linkLost`` when the peer stayed away for ten minutes; what makes going on pointless, such as
    ///   ``MigrationTransferError/needsAppUpdate(theirs:ours:)``; what asking the person threw; `CancellationError`.
    public func run() async throws -> TransferEnd {
        precondition(!isRunning, "a session runs once at a time")
        isRunning = true
        defer { isRunning = false }
        try await part.begin()
        var backoff = Backoff(steps: timing.backoff)
        var lastSeen = time.now
        while true {
            var failure: (any Error)?
            var isTroubled = false
            let isDecided = await part.isDecided
            let patience = isDecided ? timing.lastWord : timing.reconnection
            do {
                let (link, secret) = try await nextLink(before: lastSeen + patience)
                do {
                    failure = try await serve(link, secret)
                } catch {
                    if !isOwnMistake(error) { await links.passOver() }
                    throw error
                }
                lastSeen = time.now
                backoff.reset()
            } catch let error as MigrationTransferError where isPassing(error) {
                isTroubled = true
                await part.note(error)
                // What was refused is not tried again: the person is asked anew.
                if isRefusal(error) { await credentials.refused() }
            }
            if let failure { throw failure }
            if let end = try await endOfTransfer(after: lastSeen) { return end }
            // A side that accepts waits only after trouble, so that strangers cannot keep it busy.
            let wait = links.dials ? backoff.next() : isTroubled ? timing.backoff.first ?? .zero : .zero
            if wait > .zero, await !time.pause(for: wait) { throw CancellationError() }
        }
    }

    /// Ends the transfer on both phones; allowed at any time.
    public func cancel() async { await part.cancel() }

    /// The end, if there is one and the peer has heard of it or is waited for no longer.
    private func endOfTransfer(after lastSeen: ContinuousClock.Instant) async throws -> TransferEnd? {
        if await part.isDecided, time.now - lastSeen >= timing.lastWord { await part.giveUpOnPeer() }
        if let end = await part.end { return end }
        guard time.now - lastSeen < timing.reconnection else { throw MigrationTransferError.linkLost }
        return nil
    }

    /// Whether the peer was the other phone, which had another PIN.
    private func isOwnMistake(_ error: any Error) -> Bool {
        switch error as? MigrationTransferError {
        case .wrongPIN, .pinExpired: true
        default: false
        }
    }

    /// Whether another link may do better. Before the peer is proven anybody may have been at the other end of this one.
    private func isPassing(_ error: MigrationTransferError) -> Bool {
        switch error {
        case .linkLost, .peerNotProven, .wrongPIN, .pinExpired, .malformedMessage, .unexpectedMessage, .messageTooLarge,
            .hubUnreachable, .hubCarriesNoMoves:
            true
        // Said by the side that was dialed, it is what the person has to know; said by one that came, it may be a stranger's.
        case .sameRole, .unsupportedProtocol, .legacyPINRefused: !links.dials
        default: false
        }
    }

    private func isRefusal(_ error: MigrationTransferError) -> Bool {
        switch error {
        case .peerNotProven, .wrongPIN, .pinExpired: true
        default: false
        }
    }

    /// The next link, and on the old phone what it proves itself with: the person types before the peer has to wait.
    private func nextLink(
        before deadline: ContinuousClock.Instant
    ) async throws -> (any MigrationLink, SourceSecret?) {
        let (links, part, time, credentials) = (links, part, time, credentials)
        let isSource = profile.role == .source
        return try await withThrowingTaskGroup(of: (any MigrationLink, SourceSecret?)?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                let secret = isSource ? try await credentials.sourceSecret() : nil
                return (try await links.next(), secret)
            }
            group.addTask {
                try await time.sleep(until: deadline, tolerance: nil)
                return nil
            }
            group.addTask {
                // A transfer that ends while no link is there waits for none.
                while await part.end == nil, !Task.isCancelled { await part.wake.wait() }
                return nil
            }
            guard let next = try await group.next(), let next else { throw MigrationTransferError.linkLost }
            return next
        }
    }

    /// Proves the peer and carries messages until the link breaks or the transfer ends.
    ///
    /// - Returns: What ends the session, if anything of the proven peer's does.
    /// - Throws: Why the peer could not be proven.
    private func serve(_ link: any MigrationLink, _ secret: SourceSecret?) async throws -> (any Error)? {
        defer { link.close() }
        return try await withTaskCancellationHandler {
            let proof = LinkProof(
                profile: profile,
                credentials: credentials,
                dials: links.dials,
                timing: timing,
                time: time
            )
            let proven = try await proof.run(on: link, secret: secret)
            await part.linked(to: proven.peer)
            var failure: (any Error)?
            var isLost = false
            do {
                try await LinkCarrier(proven, part: part, time: time, timing: timing).run()
            } catch MigrationTransferError.linkLost, MigrationTransferError.peerNotProven {
                // The next link goes on with the resumption secret.
                isLost = true
            } catch {
                failure = error
            }
            await part.unlinked()
            if isLost { await part.note(.linkLost) }
            return failure
        } onCancel: {
            link.close()
        }
    }
}
