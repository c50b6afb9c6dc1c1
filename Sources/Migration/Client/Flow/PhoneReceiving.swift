import Foundation
import Generations
import Journal
import Kernel
import MigrationContainer
import MigrationRestore
import MigrationTransfer
import TandemPhone

/// The new phone's side of a move between two phones. It begins anew, or goes on with what came in an earlier run of the program.
struct PhoneReceiving: Sendable {
    /// A PIN is shown this long (`docs/protocol.md` 2.14), and then another one.
    private static let pinLife = Duration.seconds(120)

    let controller: MigrationUIFlowController
    let site: MigrationSite

    private var state: LatestValue<MigrationFlowState> { controller.state }
    private var spool: SpoolFolder { SpoolFolder(site.places.incoming, on: site.work, time: site.time) }

    /// - Parameters:
    ///   - places: Where the old phone listens; empty where this one does, or goes on as in an earlier run.
    ///   - host: Where this one listens; nil for all addresses.
    /// - Throws: What the person is told; what came is kept where it can go on.
    func run(places: [String], host: String?, port: Int?) async throws {
        if let generation = try await begun()?.generation, let end = try await end(of: generation) {
            // Everything is in place. To take the package once more would undo what was written since.
            if end == .restored { return try await controller.tellOldPhone() }
            // Nothing of that move is in place, and the person begins another one.
            await controller.stopTelling()
            try await site.clearIncoming()
        }
        let kept = try await site.keys(MigrationPlaces.incomingKeys)
        let begun = try await begun()
        var plan = begun?.meeting ?? MeetingPlan()
        if !places.isEmpty {
            plan = try .dialing(places)
        } else if !plan.dials || host != nil || port != nil {
            plan = plan.listening(at: host, port)
        }
        let meeting = try await Meeting.open(plan, of: site)
        let result: Result<Void, any Error>
        do {
            try await keep(IncomingTransfer(meeting: meeting.plan))
            state.update { $0.dials = meeting.plan.dials }
            try await receive(over: meeting.links, addresses: meeting.places, keys: kept)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await meeting.close()
        try result.get()
    }

    private func receive(over links: any MigrationLinks, addresses: [String], keys: MigrationKeys?) async throws {
        let credentials = MigrationCredentials(keys: keys, time: site.time) { [site] keys in
            try await site.keep(keys, as: MigrationPlaces.incomingKeys)
        }
        let opened = Held<ContainerHeader>()
        let given = Held<MigrationPassword>()
        let trouble = FirstFailure()
        let receiver = PackageReceiver(store: spool, time: site.time, timing: site.timing) { [self] meta in
            do {
                let header = try await header(of: meta, credentials, given)
                // A package that was offered meanwhile has a header of its own.
                try Task.checkCancellation()
                opened.set(header)
                return .accept
            } catch {
                if !(error is CancellationError) { trouble.note(error) }
                return .decline(reason: (error as? any ClassifiedError)?.facts.reason ?? "declined")
            }
        }
        await controller.runs(receiver)
        let restoring = SpoolRestoring(site: site, spool: spool, receiver: receiver, state: state)
        let session = try session(receiver, credentials, links)
        let end: TransferEnd
        do {
            end = try await withThrowingTaskGroup(of: TransferEnd?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await session.run() }
                group.addTask {
                    await show(credentials, addresses)
                    return nil
                }
                group.addTask {
                    for await shown in receiver.state.values() { state.update { $0.take(shown) } }
                    return nil
                }
                group.addTask {
                    let early = await restoring.meanwhile(opened)
                    guard await isWhole(receiver) else { return nil }
                    do {
                        try await restore(receiver, restoring, opened.value, credentials, given, early)
                    } catch is CancellationError {
                        return nil
                    } catch {
                        trouble.note(error)
                        let code = (error as? any ClassifiedError)?.facts.reason ?? "restoreFailed"
                        await receiver.report(.failed, code: code)
                    }
                    return nil
                }
                while let next = try await group.next() { if let next { return next } }
                throw CancellationError()
            }
        } catch {
            await receiver.close()
            throw error
        }
        await receiver.close()
        try await ended(end, trouble.first)
    }

    private func session(
        _ receiver: PackageReceiver,
        _ credentials: MigrationCredentials,
        _ links: any MigrationLinks
    ) throws -> MigrationSessionManager {
        MigrationSessionManager(
            receiving: receiver,
            as: try site.profile(.target),
            credentials: credentials,
            over: links,
            time: site.time,
            timing: site.timing
        )
    }

    private func ended(_ end: TransferEnd, _ failure: (any Error)?) async throws {
        if end != .restored { try await site.restoring().cancel() }
        try await site.clearIncoming()
        if let failure { throw failure }
        switch end {
        case .restored: return
        case .failed(let code): throw MigrationClientError.notRestoredThere(code: code)
        case .cancelled(let byPeer): throw MigrationTransferError.cancelled(byPeer: byPeer)
        }
    }

    // MARK: What is shown

    /// Shows a PIN and a code until a peer proved that it knows one, and new ones where a PIN is too old or was guessed at, or the peer was gone
    /// before it began: killed before it could keep the keys of its proof, it can come back by a PIN only.
    private func show(_ credentials: MigrationCredentials, _ addresses: [String]) async {
        repeat {
            let shown = await credentials.show(addresses: addresses)
            state.update { ($0.pin, $0.code, $0.addresses) = (shown.pin.digits, shown.code.text, addresses) }
            let end = site.time.now + Self.pinLife
            while site.time.now < end, let shown = await credentials.shown, shown.attemptsLeft > 0 {
                guard await site.time.pause(for: .seconds(1)) else { return }
            }
        } while await isStillToShow(credentials)
    }

    /// Whether what was shown was not used; else waits until the proved peer, of which nothing came yet, has stayed away for as long as one with
    /// the keys needs for its first attempts.
    ///
    /// - Returns: False when the session ended.
    private func isStillToShow(_ credentials: MigrationCredentials) async -> Bool {
        guard await credentials.shown == nil else { return true }
        let step = max(.milliseconds(1), site.timing.backoff.prefix(4).reduce(.zero, +) / 4)
        var steps = 0
        while steps < 4 {
            guard await site.time.pause(for: step) else { return false }
            steps = state.value.isLinked || state.value.step != .showing ? 0 : steps + 1
        }
        return true
    }

    // MARK: The person's answer

    /// Opens the package's header by the password, which is known to be right before anything of the package is sent (rule #8).
    ///
    /// - Parameter given: What the person gave in this session. An old phone that lost its link at the wrong moment makes its package once more, with
    ///   other keys; they are not asked again for that.
    private func header(
        of meta: BackupMeta,
        _ credentials: MigrationCredentials,
        _ given: Held<MigrationPassword>
    ) async throws -> ContainerHeader {
        guard let bytes = meta.containerHeader?.bytes else { throw ContainerError.truncated }
        let manifest = try meta.manifest.map { try Manifest($0) }
        if let manifest { try checkSections(of: manifest) }
        let offer = try await offer(manifest, meta)
        let own = await site.own()
        var trouble: MigrationFlowState.Failure?
        var known = given.value
        while true {
            do {
                let password: MigrationPassword
                if let known {
                    password = known
                } else {
                    let text = try await controller.agreed.ask {
                        state.update {
                            ($0.step, $0.totalBytes, $0.offer, $0.trouble) = (.agreeing, meta.encSize, offer, trouble)
                            $0.own = own
                        }
                    }
                    password = try MigrationPassword(toOpen: text)
                    given.set(password)
                }
                return try await site.crypto.openHeader(
                    bytes,
                    password: password,
                    sessionKey: await credentials.keys?.package
                )
            } catch ContainerError.wrongPassword {
                if known == nil { trouble = .init(ContainerError.wrongPassword) }
                known = nil
            }
        }
    }

    /// - Returns: What the person is told before they agree; nil for an old phone that lists nothing beforehand.
    private func offer(_ manifest: Manifest?, _ meta: BackupMeta) async throws -> MigrationFlowState.Offer? {
        guard let manifest else { return nil }
        return MigrationFlowState.Offer(
            counts: Dictionary(
                MigrationEntity.allCases.compactMap { entity in
                    entity.statsKey.flatMap { manifest.entityStats[$0] }.map { (entity.rawValue, $0.count) }
                },
                uniquingKeysWith: { first, _ in first }
            ),
            mediaFiles: manifest.mediaStats.totalFiles,
            mediaBytes: manifest.mediaStats.totalBytes,
            brokenMedia: manifest.options.brokenMediaCount,
            neededBytes: PackageReceiver.neededBytes(for: meta, givesSpaceBack: try await spool.givesSpaceBack()),
            freeBytes: try await spool.availableBytes()
        )
    }

    private func checkSections(of manifest: Manifest) throws {
        try PackageRestoring.checkSections(of: manifest, knowing: try site.phone.phone.sections)
    }

    // MARK: Restoring

    /// - Returns: Whether all of the package is there.
    private func isWhole(_ receiver: PackageReceiver) async -> Bool {
        for await shown in receiver.state.values() where shown.step == .restoring { return true }
        return false
    }

    private func restore(
        _ receiver: PackageReceiver,
        _ restoring: SpoolRestoring,
        _ known: ContainerHeader?,
        _ credentials: MigrationCredentials,
        _ given: Held<MigrationPassword>,
        _ early: SpoolRestoring.Early?
    ) async throws {
        guard let meta = await receiver.meta else { throw MigrationClientError.nothingUnderWay }
        // A program that was started again since the person agreed has no password.
        let header = if let known { known } else { try await header(of: meta, credentials, given) }
        state.update { $0.step = .restoring }
        let report = try await restoring.whole(meta, header, early)
        guard let staged = try site.phone.journal.generations.staged else { throw MigrationClientError.nothingReady }
        guard var kept = try await begun() else { throw MigrationClientError.nothingReady }
        kept.generation = staged.generation.id.name
        // Before the intent: a start that puts the data into place knows whom to tell.
        try await keep(kept)
        try await controller.intendRestore()
        await receiver.report(.verified)
        state.update { ($0.step, $0.report) = (.ready, report) }
        // The person agreed when they gave the password, and the old phone knows that all of it is here.
        await controller.startAgain()
    }

    // MARK: After a start of the program

    /// Tells the old phone what became of its data, once the start of the program put it into place or could not.
    ///
    /// - Throws: `MigrationTransferError.linkLost` where the old phone is not there; it is tried at the next start again.
    func tellOldPhone() async throws {
        guard let begun = try await begun(), let generation = begun.generation,
            let keys = try await site.keys(MigrationPlaces.incomingKeys), let end = try await end(of: generation)
        else { return }
        let meeting = try await meeting(as: begun.meeting)
        let receiver = PackageReceiver(store: spool, time: site.time, timing: site.timing) { _ in
            .decline(reason: "otherTransfer")
        }
        let credentials = MigrationCredentials(keys: keys, time: site.time) { [site] keys in
            try await site.keep(keys, as: MigrationPlaces.incomingKeys)
        }
        let session = try session(receiver, credentials, meeting.links)
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    _ = try await session.run()
                    return true
                }
                group.addTask {
                    for await shown in receiver.state.values() where shown.step == .restoring {
                        await receiver.report(.verified)
                        await receiver.report(end, code: end == .failed ? "notPutIntoPlace" : nil)
                        break
                    }
                    return false
                }
                while let isEnd = try await group.next() { if isEnd { return } }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await receiver.close()
        await meeting.close()
        try result.get()
        try await site.clearIncoming()
    }

    /// The old phone dials the port that it knows, which another program may have for a while.
    ///
    /// - Throws: `MigrationTransferError.badAddress` where the port was not free for as long as the old phone waits.
    private func meeting(as plan: MeetingPlan) async throws -> Meeting {
        let end = site.time.now + site.timing.reconnection
        while true {
            do {
                return try await Meeting.open(plan, of: site)
            } catch MigrationTransferError.badAddress(let what) {
                guard site.time.now < end else { throw MigrationTransferError.badAddress(what: what) }
            }
            guard await site.time.pause(for: .seconds(2)) else { throw CancellationError() }
        }
    }

    /// What a start of the program made of a generation that came from an old phone; nil while no start decided it.
    private func end(of generation: String) async throws -> TransferCompletion.Status? {
        if try site.phone.journal.generations.current()?.id.name == generation { return .restored }
        let outcome = try await site.work.run { [places = site.places] in
            MigrationPlaces.read(StartOutcome.self, from: places.outcome)
        }
        // It was not put into place; or it was, and its person went back before the old phone heard of it.
        return [outcome?.generation, outcome?.replaced].contains(generation) ? .failed : nil
    }

    private func begun() async throws -> IncomingTransfer? {
        try await site.work.run { [places = site.places] in
            MigrationPlaces.read(IncomingTransfer.self, from: places.incomingTransfer)
        }
    }

    private func keep(_ transfer: IncomingTransfer) async throws {
        try await site.work.finish { [places = site.places] in
            try MigrationPlaces.write(transfer, to: places.incomingTransfer)
        }
    }
}
