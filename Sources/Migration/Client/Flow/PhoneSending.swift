import Foundation
import Kernel
import MigrationContainer
import MigrationTransfer
import Sections
import Synchronization
import TandemPhone

/// The old phone's side of a move between two phones. It begins anew, or goes on with what an earlier run of the program began.
struct PhoneSending: Sendable {
    let controller: MigrationUIFlowController
    let site: MigrationSite
    let password: MigrationPassword
    /// What was scanned; nil where the person types a PIN.
    let code: MigrationCode?
    /// Where the new phone listens; nil where this one does, or goes on as in an earlier run.
    let meeting: MeetingPlan?
    let mark: CancellationMark

    /// - Parameters:
    ///   - host: Where this one listens; nil for all addresses.
    func run(host: String?, port: Int?) async throws {
        let kept = try await site.keys(MigrationPlaces.outgoingKeys)
        let begun = try await site.work.run { [places = site.places] in
            MigrationPlaces.read(OutgoingTransfer.self, from: places.outgoingTransfer)
        }
        let phone = try site.phone.phone
        // A phone that is retired is told so before anybody types a PIN.
        _ = try phone.standing.value.beginning(Handover(transferID: "", newPhone: "", begunAt: 0))
        // Without the keys of its proof, what was begun cannot be sealed again; and a phone that went on meanwhile has other data.
        let isOurs = begun?.plan == nil || kept.map(Self.mark) == begun?.sealedFor
        let earlier = kept != nil && isOurs && Self.isUnchanged(phone, since: begun) ? begun : nil
        var transfer =
            earlier
            ?? OutgoingTransfer(transferID: UUID.randomText(), meeting: MeetingPlan(), plan: nil, sections: nil)
        if let meeting {
            transfer.meeting = meeting
        } else if !transfer.meeting.dials || host != nil || port != nil {
            transfer.meeting = transfer.meeting.listening(at: host, port)
        }
        let meeting = try await Meeting.open(transfer.meeting, of: site)
        transfer.meeting = meeting.plan
        controller.state.update { ($0.addresses, $0.dials) = (meeting.places, meeting.plan.dials) }
        let result: Result<Void, any Error>
        do {
            try await send(transfer, through: meeting, keys: kept)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await meeting.close()
        try result.get()
    }

    /// The keys of the proof became others after the package was sealed for the first ones.
    private struct KeysReplaced: Error {}

    /// Sends the data, also where the new phone was killed before it could keep the keys of a proof, and both were proved to each other anew. It had
    /// nothing of the package then, which is made once more for the new keys.
    private func send(_ transfer: OutgoingTransfer, through meeting: Meeting, keys: MigrationKeys?) async throws {
        var (transfer, keys) = (transfer, keys)
        while true {
            do {
                return try await send(transfer, over: meeting.links, keys: keys)
            } catch is KeysReplaced {
                try await site.clearOutgoing(withKeys: false)
                keys = try await site.keys(MigrationPlaces.outgoingKeys)
                transfer = OutgoingTransfer(
                    transferID: UUID.randomText(),
                    meeting: meeting.plan,
                    plan: nil,
                    sections: nil
                )
            }
        }
    }

    private func send(_ transfer: OutgoingTransfer, over links: any MigrationLinks, keys kept: MigrationKeys?)
        async throws
    {
        let phone = try site.phone.phone
        let handover = PhoneHandover(phone: phone, transferID: transfer.transferID, time: site.time)
        let sender = PackageSender(transferID: transfer.transferID, time: site.time, timing: site.timing) { end in
            // Where it cannot be written it is tried again behind the session, which then says why.
            if end == .restored { try? await handover.retire() }
        }
        await controller.runs(sender)
        let proof = ProofOfSession(kept)
        let session = MigrationSessionManager(
            sending: sender,
            as: try site.profile(.source),
            credentials: credentials(kept, proof),
            over: links,
            time: site.time,
            timing: site.timing
        )
        let trouble = FirstFailure()
        let end = try await withThrowingTaskGroup(of: TransferEnd?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await session.run() }
            group.addTask {
                for await shown in sender.state.values() { controller.state.update { $0.take(shown) } }
                return nil
            }
            group.addTask {
                do {
                    try await offer(transfer, by: sender, proof, handover)
                } catch ContainerError.wrongPassword {
                    // The person types it again; what the new phone has of the package stays.
                    throw ContainerError.wrongPassword
                } catch let replaced as KeysReplaced {
                    throw replaced
                } catch  where Task.isCancelled {
                    // The program ends, or the session has: the next run goes on.
                } catch {
                    trouble.note(error)
                    // The peer has to know that nothing comes; the session then ends.
                    await sender.cancel()
                }
                return nil
            }
            while let next = try await group.next() { if let next { return next } }
            throw CancellationError()
        }
        if let failure = await sender.failure { trouble.note(failure) }
        try await ended(end, handover, trouble.first)
    }

    /// Whether the phone has rested since its data was read for this transfer.
    static func isUnchanged(_ phone: Phone, since begun: OutgoingTransfer?) -> Bool {
        guard case .handingOver(let handover) = phone.standing.value else { return false }
        return handover.transferID == begun?.transferID
    }

    private func credentials(_ keys: MigrationKeys?, _ proof: ProofOfSession) -> MigrationCredentials {
        let scanned = Mutex(code)
        return MigrationCredentials(
            keys: keys,
            time: site.time,
            keep: { [site] keys in
                try await site.keep(keys, as: MigrationPlaces.outgoingKeys)
                proof.set(keys)
            },
            ask: { [controller] in
                // A code works once; where it was refused the person is asked.
                if let code = scanned.withLock({ code in
                    defer { code = nil }
                    return code
                }) {
                    return .code(code)
                }
                return try await controller.entered.ask { controller.state.update { $0.step = .entering } }
            }
        )
    }

    /// Reads the data once the peer is proved, and offers the package.
    private func offer(
        _ transfer: OutgoingTransfer,
        by sender: PackageSender,
        _ proof: ProofOfSession,
        _ handover: PhoneHandover
    ) async throws {
        // What an earlier run began is made ready while the link comes: its password's key alone takes a third of a second.
        async let begun = reopened(transfer, proof)
        // Nothing of this phone changes before the peer of this very run is proved, also where keys of an earlier one are there.
        for await shown in sender.state.values() where shown.isLinked { break }
        try Task.checkCancellation()
        let keys = try await proof.keys()
        // Another proof than the one that the package was sealed for: the keys changed, and so would its bytes.
        guard transfer.plan == nil || !proof.isRenewed else {
            try await site.clearOutgoing()
            throw MigrationClientError.beginAnew
        }
        try await keep(transfer)
        try await handover.begin(to: sender.state.value.peerName ?? "another phone")
        let made =
            if let begun = try await begun { begun } else { try await made(anew: transfer, by: sender, keys) }
        try await sender.offer(
            try Self.meta(made.package, transferID: transfer.transferID),
            from: PackageRanges(package: made.package, work: site.work)
        )
        try await proof.replaced(keys)
        throw KeysReplaced()
    }

    /// What a package's plan says of the keys that it was sealed for; nobody learns the keys by it.
    private static func mark(_ keys: MigrationKeys) -> [UInt8] { SHA256Sum.of(Array("sealed for".utf8) + keys.package) }

    /// The package that an earlier run began; nil where none did.
    private func reopened(_ transfer: OutgoingTransfer, _ proof: ProofOfSession) async throws -> PackageMaking.Made? {
        guard let plan = transfer.plan, let keys = proof.earlier else { return nil }
        let making = PackageMaking(site: site, password: password, sessionKey: keys.package, trustsSums: true)
        return try await making.reopen(plan, transfer.sections)
    }

    private func made(
        anew transfer: OutgoingTransfer,
        by sender: PackageSender,
        _ keys: MigrationKeys
    ) async throws -> PackageMaking.Made {
        let trustsSums = try await site.work.run { [places = site.places] in
            !FileManager.default.fileExists(atPath: places.doubt.path)
        }
        let making = PackageMaking(
            site: site,
            password: password,
            sessionKey: keys.package,
            trustsSums: trustsSums
        )
        let made = try await making.make(takesAll: true) { [mark] bytes in
            try mark.check()
            Task { await sender.prepared(Int64(clamping: bytes)) }
        }
        var kept = transfer
        (kept.plan, kept.sections, kept.sealedFor) = (made.package.plan, made.sections, Self.mark(keys))
        try await keep(kept)
        return made
    }

    private func keep(_ transfer: OutgoingTransfer) async throws {
        try await site.work.finish { [places = site.places] in
            try MigrationPlaces.write(transfer, to: places.outgoingTransfer)
        }
    }

    private static func meta(_ package: MigrationPackage, transferID: String) throws -> BackupMeta {
        let size = Int64(clamping: package.length)
        var meta = BackupMeta(
            backupID: transferID,
            transferID: transferID,
            schemaVersion: MigrationSchema.current,
            encSize: size,
            chunkSize: BackupMeta.chunkSize(forPackageOf: size, limit: nil)
        )
        meta.containerHeader = WireData(package.header.bytes)
        meta.manifest = try JSONValue(parsing: package.outerManifest(nil))
        // The package beside what it becomes: its archive, and a database of 1.6 times its records.
        let records = Int64(clamping: package.plan.recordBytes)
        meta.restoreBytesNeeded = size + Int64(clamping: package.archiveLength) + records / 5 * 8
        return meta
    }

    /// Behind a package that failed, the next one reads each file for its sum: one that a disk damaged since it was saved would fail each time. The
    /// damaged file then moves as it is, and the new phone names it.
    private func doubt(_ end: TransferEnd, _ failure: (any Error)?) async throws {
        var isInDoubt = false
        if case .failed = end { isInDoubt = true }
        if case ContainerError.sourceChanged? = failure { isInDoubt = true }
        guard isInDoubt || end == .restored else { return }
        try await site.work.finish { [places = site.places, isInDoubt] in
            guard isInDoubt else { return try MigrationPlaces.remove(places.doubt) }
            try MigrationPlaces.write(true, to: places.doubt)
        }
    }

    private func ended(_ end: TransferEnd, _ handover: PhoneHandover, _ failure: (any Error)?) async throws {
        switch end {
        case .restored: try await handover.retire()
        case .failed, .cancelled: try await handover.giveBack()
        }
        try await site.clearOutgoing()
        try await doubt(end, failure)
        if let failure, end != .restored { throw failure }
        switch end {
        case .restored: return
        case .failed(let code): throw MigrationClientError.notRestoredThere(code: code)
        case .cancelled(let byPeer): throw MigrationTransferError.cancelled(byPeer: byPeer)
        }
    }
}
