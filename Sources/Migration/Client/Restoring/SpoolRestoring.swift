import Archives
import Journal
import Kernel
import MigrationContainer
import MigrationRestore
import MigrationTransfer

/// Restores a package that an old phone sends, while it comes or once it is whole, and gives its space back as far as the restored files are on the
/// disk.
struct SpoolRestoring: Sendable {
    let site: MigrationSite
    let spool: SpoolFolder
    let receiver: PackageReceiver
    let state: LatestValue<MigrationFlowState>

    /// How often what is missing is asked for again. Once is enough, but for a disk that loses what it has.
    private static let askingLimit = 3

    /// What became of restoring a package while it came.
    struct Early: Sendable {
        let meta: BackupMeta
        let result: Result<RestoreReport, any Error>

        /// Whether what came was damaged: so it is on the old phone, and would be a second time.
        var foundDamage: Bool {
            guard case .failure(let error) = result else { return false }
            return SpoolRestoring.isDamage(error)
        }
    }

    /// Restores a package while it comes, where the person gave its password in this run: it is put together a moment after its last byte. Nothing
    /// depends on this. Where it does not come to its end, for whichever reason, the package is restored once all of it is there, and what was
    /// put on the disk so far is passed over then.
    func meanwhile(_ opened: Held<ContainerHeader>) async -> Early? {
        for await shown in receiver.state.values() where [.transferring, .restoring].contains(shown.step) { break }
        guard let header = opened.value, let (meta, front) = await receiver.arriving else { return nil }
        let arrival = PackageFile.Arrival(front: front, length: UInt64(meta.encSize))
        return await withTaskCancellationHandler {
            Early(meta: meta, result: await result(of: meta, header, arrival: arrival))
        } onCancel: {
            front.end()
        }
    }

    /// Restores a package that is whole, or was when it came: parts whose files are lost or damaged on this phone since are asked for again.
    ///
    /// - Throws: What the person is told; `CancellationError` where the transfer ended meanwhile.
    func whole(_ meta: BackupMeta, _ header: ContainerHeader, _ early: Early?) async throws -> RestoreReport {
        let early = early.flatMap { $0.meta.isSamePackage(as: meta) ? $0 : nil }
        let announced = await announced(meta)
        if case .success(let report)? = early?.result {
            try await check(announced, meta, header)
            await giveBackAll(of: meta)
            return report
        }
        let (steps, told) = AsyncStream.makeStream(of: Int64.self, bufferingPolicy: .bufferingNewest(1))
        defer { told.finish() }
        async let _: Void = show(steps)
        var mayBeAnew = early?.foundDamage != true
        var asked = 0
        while true {
            do {
                let report = try await result(of: meta, header, announced: announced) { step in
                    guard case .media(let bytes, _) = step else { return }
                    told.yield(Int64(clamping: bytes))
                }.get()
                await giveBackAll(of: meta)
                return report
            } catch let missing as SpoolSpace.MissingParts where asked < Self.askingLimit {
                asked += 1
                try await askAgain(for: missing.bytes)
            } catch let damage where mayBeAnew && Self.isDamage(damage) {
                // A file of this phone is not what was put there. Which one does not matter: all come again, and are put together anew.
                let released = await receiver.released
                guard !released.isEmpty else { throw damage }
                mayBeAnew = false
                try await site.restoring().cancel()
                try await askAgain(for: released)
            }
        }
    }

    private func show(_ steps: AsyncStream<Int64>) async {
        for await bytes in steps { await receiver.restored(bytes, of: .restore) }
    }

    private static func isDamage(_ error: any Error) -> Bool { error is ContainerError || error is ArchiveError }

    /// What the old phone says of the whole package; it may say so with the last chunk only.
    private func announced(_ meta: BackupMeta) async -> PackageDigests {
        let completion = await receiver.completion
        return PackageDigests(
            zipSHA256: completion?.zipSHA256 ?? "",
            encSHA256: completion?.encSHA256 ?? meta.encSHA256 ?? ""
        )
    }

    /// Compares a package that was restored while it came with what was announced at its end.
    private func check(_ announced: PackageDigests, _ meta: BackupMeta, _ header: ContainerHeader) async throws {
        guard !announced.encSHA256.isEmpty || !announced.zipSHA256.isEmpty else { return }
        let (file, generations) = (PackageFile(url: spool.packageFile(of: meta)), try site.phone.journal.generations)
        let found = try await site.work.run { [crypto = site.crypto] in
            try file.digests(header, crypto, known: try StagedArchive.current(in: generations))
        }
        try found.check(announced: announced)
    }

    private func askAgain(for bytes: RangeSet<Int64>) async throws {
        try await receiver.askAgain(for: bytes)
        for await shown in receiver.state.values() where shown.step == .restoring { return }
        throw CancellationError()
    }

    private func result(
        of meta: BackupMeta,
        _ header: ContainerHeader,
        announced: PackageDigests? = nil,
        arrival: PackageFile.Arrival? = nil,
        step: @escaping @Sendable (RestoreStep) -> Void = { _ in }
    ) async -> Result<RestoreReport, any Error> {
        let (parts, told) = AsyncStream.makeStream(of: Range<UInt64>.self)
        let space = await space { told.yield($0) }
        async let given: Void = giveBack(parts, of: meta)
        let result: Result<RestoreReport, any Error>
        do {
            result = .success(
                try await site.restore(
                    PackageFile(url: spool.packageFile(of: meta), arrival: arrival),
                    lock: .header(header),
                    outerManifest: meta.manifest?.canonicalBytes,
                    announced: announced,
                    transferID: meta.transferID,
                    space: space,
                    showing: state,
                    step: step
                )
            )
        } catch {
            result = .failure(error)
        }
        told.finish()
        // From here on nothing is given back: whoever asks for parts again gets them to keep.
        await given
        return result
    }

    /// Nil where the disk takes nothing back and never did.
    private func space(_ release: @escaping @Sendable (Range<UInt64>) -> Void) async -> SpoolSpace? {
        let released = await receiver.released
        guard await receiver.givesSpaceBack || !released.isEmpty else { return nil }
        return SpoolSpace(released: released, release: release)
    }

    /// The new generation is whole and on the disk: nothing of the package is read again, unless that is lost, and then all of it comes again.
    private func giveBackAll(of meta: BackupMeta) async {
        // Without the list of contents that came before, the package's own would be looked for.
        guard meta.manifest != nil else { return }
        await receiver.release(RangeSet(0..<meta.encSize), of: meta)
    }

    private func giveBack(_ parts: AsyncStream<Range<UInt64>>, of meta: BackupMeta) async {
        for await part in parts {
            guard let sealed = SegmentCipher.sealedRange(within: part) else { continue }
            await receiver.release(RangeSet(SpoolSpace.bytes(sealed)), of: meta)
        }
    }
}
