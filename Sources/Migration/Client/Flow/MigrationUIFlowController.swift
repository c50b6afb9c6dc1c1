import Foundation
import Generations
import Journal
package import Kernel
import MigrationContainer
import MigrationRestore
import MigrationTransfer

/// The wizard of a move as a view model, on either phone: one flow at a time, its state as one value, and what the person says to it. It goes on
/// without whoever began it. Commands and pages show ``state`` and call what a button or a word means.
package actor MigrationUIFlowController {
    /// What a person is shown.
    package nonisolated let state = LatestValue(MigrationFlowState())

    let site: MigrationSite
    /// What the old phone's person types or scans, when it is asked for.
    nonisolated let entered = PersonsAnswer<MigrationCredentials.Entry>()
    /// The new phone's password, with which the person agrees.
    nonisolated let agreed = PersonsAnswer<String>()
    private var flow: Task<Void, Never>?
    private var mark = CancellationMark()
    private var transfer: (any RunningTransfer)?
    private(set) var failure: (any Error)?

    init(_ site: MigrationSite) { self.site = site }

    // MARK: Old phone

    /// Writes this phone's data into a new file, from which on the phone rests.
    func export(_ asked: MigrationControl.Export) throws -> MigrationFlowState {
        let password = try MigrationPassword(new: asked.password)
        let takesAll = asked.journalOnly != true
        let file = PackageFile(url: URL(filePath: asked.path))
        guard !FileManager.default.fileExists(atPath: asked.path) else {
            throw MigrationClientError.fileExists(path: asked.path)
        }
        return try begin(.oldPhone, .preparing, path: asked.path) { [site, state] mark in
            let exporting = FileExport(site: site, file: file, password: password, mark: mark, state: state)
            try await exporting.run(takesAll: takesAll)
            return .done
        }
    }

    /// Sends this phone's data to the new phone, and goes on with what an earlier run of the program began to send.
    func send(_ asked: MigrationControl.Send) throws -> MigrationFlowState {
        let password = try MigrationPassword(new: asked.password)
        let code = try asked.code.map { try MigrationCode($0) }
        let addresses = asked.addresses.isEmpty ? code?.addresses ?? [] : asked.addresses
        let links = try TCPLinkDialer(addresses)
        return try begin(.oldPhone, .connecting) { [self] mark in
            let sending = PhoneSending(
                controller: self,
                site: site,
                password: password,
                code: code,
                links: links,
                mark: mark
            )
            try await sending.run()
            return .done
        }
    }

    /// Gives the transfer what the new phone shows.
    func enter(_ entry: MigrationControl.Entry) throws -> MigrationFlowState {
        let answer: MigrationCredentials.Entry
        if let code = entry.code {
            answer = .code(try MigrationCode(code))
        } else {
            answer = .pin(try MigrationPIN(entry.pin ?? ""))
        }
        guard state.value.step == .entering, entered.give(answer) else { throw MigrationClientError.nothingUnderWay }
        state.update { $0.step = .connecting }
        return state.value
    }

    // MARK: New phone

    /// Reads and proves a package. Nothing is replaced before ``agree(_:)`` and the next start of the program.
    func restore(_ asked: MigrationControl.Restore) throws -> MigrationFlowState {
        let password = try MigrationPassword(toOpen: asked.password)
        let file = PackageFile(url: URL(filePath: asked.path))
        return try begin(.newPhone, .restoring, path: asked.path) { [site, state] _ in
            let bytes = try await site.work.run { try file.headerBytes() }
            let header = try await site.crypto.openHeader(bytes, password: password, sessionKey: nil)
            let report = try await site.restore(file, header: header, showing: state)
            state.update { $0.report = report }
            return .ready
        }
    }

    /// Waits for an old phone, or goes on with what one began to send.
    func receive(_ asked: MigrationControl.Receive) throws -> MigrationFlowState {
        let receiving = PhoneReceiving(controller: self, site: site)
        return try begin(.newPhone, .showing) { _ in
            try await receiving.run(host: asked.host, port: asked.port)
            return .done
        }
    }

    /// The person agrees: to what an old phone offers, with its password; or that what was restored takes the place of this phone's data.
    func agree(_ agreement: MigrationControl.Agreement) async throws -> MigrationFlowState {
        switch state.value.step {
        case .agreeing:
            guard let password = agreement.password, agreed.give(password) else {
                throw MigrationClientError.nothingUnderWay
            }
            state.update { ($0.trouble, $0.offer) = (nil, nil) }
        case .ready: try await intendRestore()
        default: throw MigrationClientError.nothingReady
        }
        return state.value
    }

    /// From here on the next start of the program puts the data into place.
    func intendRestore() async throws {
        guard let staged = try site.phone.journal.generations.staged, staged.phase == .verified else {
            throw MigrationClientError.nothingReady
        }
        try await intend(.restore, staged.generation.id.name)
        state.update { $0.isAgreed = true }
    }

    func rollback() async throws -> MigrationFlowState {
        guard flow == nil else { throw MigrationClientError.busy }
        guard let kept = try site.phone.journal.generations.kept else { throw MigrationClientError.nothingToUndo }
        try await intend(.undo, kept.generation.name)
        var next = MigrationFlowState(.newPhone, .ready)
        next.undo = .init(until: kept.untilMilliseconds, since: kept.sinceMilliseconds)
        next.isAgreed = true
        state.set(next)
        return next
    }

    private func intend(_ change: StartIntent.Change, _ generation: String) async throws {
        let intent = StartIntent(change: change, generation: generation)
        try await site.work.finish { [places = site.places] in try MigrationPlaces.write(intent, to: places.intent) }
    }

    // MARK: Both

    /// The state with what can be gone back to, and what the last start did.
    func current() async throws -> MigrationFlowState {
        var shown = state.value
        if let kept = try site.phone.journal.generations.kept {
            shown.undo = .init(until: kept.untilMilliseconds, since: kept.sinceMilliseconds)
            // A report that is gone takes nothing from what the person can do.
            if shown.step == .idle { shown.report = try? await site.restoring().report() }
        }
        shown.lastStart = try await site.work.run { [places = site.places] in
            MigrationPlaces.read(StartOutcome.self, from: places.outcome)
                .map { .init(change: $0.change.rawValue, failure: $0.failure) }
        }
        return shown
    }

    func pause() async throws -> MigrationFlowState {
        guard let transfer else { throw MigrationClientError.nothingUnderWay }
        try await transfer.pause()
        return state.value
    }

    func resume() async throws -> MigrationFlowState {
        guard let transfer else { throw MigrationClientError.nothingUnderWay }
        try await transfer.resume()
        return state.value
    }

    /// Ends what is under way; what waits for a start of the program is thrown away, and this phone keeps what it has.
    func cancel() async throws -> MigrationFlowState {
        let isReady = state.value.step == .ready
        guard flow != nil || isReady else { throw MigrationClientError.nothingUnderWay }
        if isReady {
            try await site.work.finish { [places = site.places] in try MigrationPlaces.remove(places.intent) }
            try await site.restoring().cancel()
        }
        mark.set()
        if let transfer {
            // The peer is told, and then the flow ends by itself.
            await transfer.cancel()
        } else {
            flow?.cancel()
        }
        await flow?.value
        if isReady, flow == nil { state.set(MigrationFlowState()) }
        return state.value
    }

    /// Whether nothing more happens without a person or a start of the program.
    var isAtRest: Bool { flow == nil || state.value.step == .ready }

    /// Reports each state until nothing more happens by itself.
    ///
    /// - Throws: Why the flow failed.
    func watch(_ report: @escaping @Sendable (MigrationFlowState) async throws -> Void) async throws
        -> MigrationFlowState
    {
        for await shown in state.values() {
            try await report(shown)
            if shown.step == .failed, let failure { throw failure }
            if isAtRest { break }
        }
        return try await current()
    }

    /// What the session's flow is paused, resumed and cancelled by, while it runs.
    func runs(_ transfer: (any RunningTransfer)?) { self.transfer = transfer }

    /// Ends with the program; what was under way goes on at its next start.
    func close() async {
        mark.set()
        flow?.cancel()
        await flow?.value
        state.finish()
    }

    private func begin(
        _ role: MigrationFlowState.Role,
        _ step: MigrationFlowState.Step,
        path: String? = nil,
        _ work: @escaping @Sendable (CancellationMark) async throws -> MigrationFlowState.Step
    ) throws -> MigrationFlowState {
        guard flow == nil else { throw MigrationClientError.busy }
        _ = try site.phone.journal
        failure = nil
        mark = CancellationMark()
        state.set(MigrationFlowState(role, step, path: path))
        flow = Task { [mark] in
            do {
                ended(try await work(mark), nil)
            } catch {
                ended(.failed, error)
            }
        }
        return state.value
    }

    private func ended(_ step: MigrationFlowState.Step, _ error: (any Error)?) {
        flow = nil
        transfer = nil
        failure = error
        state.update { state in
            state.step = step
            (state.pin, state.code, state.addresses) = (nil, nil, [])
            if step == .done { state.fraction = 1 }
            guard let error else { return }
            state.failure = .init(error is CancellationError ? MigrationTransferError.cancelled(byPeer: false) : error)
        }
    }
}

/// A session that a person can let wait, and end.
protocol RunningTransfer: Sendable {
    func pause() async throws
    func resume() async throws
    func cancel() async
}

extension PackageSender: RunningTransfer {}
extension PackageReceiver: RunningTransfer {}
