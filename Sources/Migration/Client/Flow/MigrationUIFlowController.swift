import Foundation
import Generations
import Journal
package import Kernel
import Logging
import MigrationContainer
import MigrationRestore
import MigrationTransfer
import Sections
import TandemPhone

/// The wizard of a move as a view model, on either phone: one flow at a time, its state as one value, and what the person says to it. It goes on
/// without whoever began it. Commands and pages show ``state`` and call what a button or a word means.
package actor MigrationUIFlowController {
    /// What a person is shown.
    package nonisolated let state: LatestValue<MigrationFlowState>

    let site: MigrationSite
    /// What the old phone's person types or scans, when it is asked for.
    nonisolated let entered = PersonsAnswer<MigrationCredentials.Entry>()
    /// The new phone's password, with which the person agrees.
    nonisolated let agreed = PersonsAnswer<String>()
    private var flow: Task<Void, Never>?
    private var mark = CancellationMark()
    private var transfer: (any RunningTransfer)?
    private var sentWith: MigrationPassword?
    private var telling: Task<Void, any Error>?
    private var tidying: Task<Void, Never>?
    private var starting: Task<Void, Never>?
    private(set) var failure: (any Error)?

    init(_ site: MigrationSite) {
        self.site = site
        state = LatestValue(Self.blank(of: site))
    }

    /// Nothing is under way.
    private static func blank(
        _ role: MigrationFlowState.Role? = nil,
        _ step: MigrationFlowState.Step = .idle,
        path: String? = nil,
        of site: MigrationSite
    ) -> MigrationFlowState {
        MigrationFlowState(role, step, path: path, canStartAgain: site.startAgain != nil)
    }

    // MARK: Old phone

    /// Writes this phone's data into a new file, from which on the phone rests.
    func export(_ asked: MigrationControl.Export) async throws -> MigrationFlowState {
        let password = try MigrationPassword(new: asked.password)
        let takesAll = asked.journalOnly != true
        let file = PackageFile(url: URL(filePath: asked.path))
        guard !FileManager.default.fileExists(atPath: asked.path) else {
            throw MigrationClientError.fileExists(path: asked.path)
        }
        // Before the phone rests for a file that cannot be made.
        try await site.work.run { try file.checkPlace() }
        return try begin(.oldPhone, .preparing, path: asked.path) { [site, state] mark in
            let exporting = FileExport(site: site, file: file, password: password, mark: mark, state: state)
            try await exporting.run(takesAll: takesAll)
            return .done
        }
    }

    /// Sends this phone's data to the new phone, and goes on with what an earlier run of the program began to send. Asked again while it is
    /// sent, which whoever asked first need not have seen the end of, it changes nothing.
    ///
    /// - Throws: `ContainerError.wrongPassword` for another password than the one that is sent with.
    func send(_ asked: MigrationControl.Send) throws -> MigrationFlowState {
        let password = try MigrationPassword(new: asked.password)
        if let shown = underWay(.oldPhone) {
            guard sentWith == password else { throw ContainerError.wrongPassword }
            return shown
        }
        let code = try asked.code.map { try MigrationCode($0) }
        let places = asked.addresses.isEmpty ? code?.addresses ?? [] : asked.addresses
        let meeting = places.isEmpty ? nil : try MeetingPlan.dialing(places)
        let shown = try begin(.oldPhone, .connecting) { [self] mark in
            let sending = PhoneSending(
                controller: self,
                site: site,
                password: password,
                code: code,
                meeting: meeting,
                mark: mark
            )
            try await sending.run(host: asked.host, port: asked.port)
            return .done
        }
        sentWith = password
        return shown
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
            let lock =
                if let legacy = PackageLock(legacyKey: asked.password, of: bytes) {
                    legacy
                } else {
                    PackageLock.header(try await site.crypto.openHeader(bytes, password: password, sessionKey: nil))
                }
            let report = try await site.restore(file, lock: lock, showing: state)
            let own = await site.own()
            state.update { ($0.report, $0.own) = (report, own) }
            return .ready
        }
    }

    /// Waits for an old phone, or goes on with what one began to send. Asked again meanwhile it changes nothing.
    func receive(_ asked: MigrationControl.Receive) throws -> MigrationFlowState {
        if let shown = underWay(.newPhone) { return shown }
        let places = try MeetingPlan.dialing(asked.addresses ?? []).places
        let receiving = PhoneReceiving(controller: self, site: site)
        return try begin(.newPhone, .showing) { _ in
            try await receiving.run(places: places, host: asked.host, port: asked.port)
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
        case .ready:
            try await intendRestore()
            startAgain()
        default: throw MigrationClientError.nothingReady
        }
        return state.value
    }

    /// From here on the next start of the program puts the data into place. Whoever calls it says when the program can end: ``startAgain()``.
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
        var next = Self.blank(.newPhone, .ready, of: site)
        next.undo = try await undo()
        next.isAgreed = true
        state.set(next)
        startAgain()
        return next
    }

    private func intend(_ change: StartIntent.Change, _ generation: String) async throws {
        let intent = StartIntent(change: change, generation: generation)
        try await site.work.finish { [places = site.places] in
            try MigrationPlaces.write(intent, to: places.intent)
            // What an earlier start did is not what this one does.
            try MigrationPlaces.remove(places.outcome)
        }
    }

    // MARK: The start of the program

    /// Starts the program again a moment later, where it can do that by itself: whoever agreed has nothing more to decide, and may have gone.
    func startAgain() {
        guard let startAgain = site.startAgain, starting == nil else { return }
        starting = Task { [site] in
            guard await site.time.pause(for: startAgain.delay) else { return }
            startAgain.ask()
        }
    }

    /// The person waits no longer for what a start of the program does: for the data that they agreed to, or for a phone that rested and goes on.
    ///
    /// - Throws: ``MigrationClientError/cannotStartAgain``, ``MigrationClientError/nothingToStart``, and ``MigrationClientError/busy`` while data is
    ///   under way.
    func restart() throws -> MigrationFlowState {
        guard site.startAgain != nil else { throw MigrationClientError.cannotStartAgain }
        guard flow == nil || state.value.step == .ready else { throw MigrationClientError.busy }
        let phone = try site.phone.phone
        let hasRested = phone.hasRested.value && !phone.standing.value.rests
        guard state.value.step == .ready && state.value.isAgreed || hasRested else {
            throw MigrationClientError.nothingToStart
        }
        startAgain()
        return state.value
    }

    // MARK: Both

    /// The state with what can be gone back to, and what the last start did.
    func current() async throws -> MigrationFlowState {
        var shown = state.value
        shown.undo = try await undo()
        // A report that is gone takes nothing from what the person can do.
        if shown.undo != nil, shown.step == .idle { shown.report = try? await site.restoring().report() }
        shown.lastStart = try await site.work.run { [places = site.places] in
            MigrationPlaces.read(StartOutcome.self, from: places.outcome)
                .map { .init(change: $0.change.rawValue, failure: $0.failure) }
        }
        return shown
    }

    /// The way back, with what it would hide.
    private func undo() async throws -> MigrationFlowState.Undo? {
        guard let kept = try site.phone.journal.generations.kept else { return nil }
        // The way back is there whether or not the database can be asked.
        let changes = (try? await site.restoring().undoOffer())?.changesSince
        return .init(until: kept.untilMilliseconds, since: kept.sinceMilliseconds, changes: changes)
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
        let tells = telling != nil && transfer == nil && underWay(.newPhone) != nil
        guard flow != nil || isReady else { throw MigrationClientError.nothingUnderWay }
        starting?.cancel()
        starting = nil
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
        // The person waits no longer for the old phone to hear of the end.
        if tells { try await site.clearIncoming() }
        if isReady, flow == nil { state.set(Self.blank(of: site)) }
        return state.value
    }

    /// Tells an old phone what became of its data, if one has to hear it; one listens at a time, whoever asks.
    ///
    /// - Throws: `MigrationTransferError.linkLost` where the old phone did not come within ten minutes.
    func tellOldPhone() async throws {
        let task = telling ?? Task { [site] in try await PhoneReceiving(controller: self, site: site).tellOldPhone() }
        telling = task
        defer { if telling == task { telling = nil } }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    func stopTelling() async {
        telling?.cancel()
        _ = await telling?.result
    }

    /// Removes the copies of this phone's data that a kill of the program left and that belong to no transfer which could go on. What is begun
    /// meanwhile waits for it.
    func tidy() async {
        let task =
            tidying
            ?? Task { [site] in
                do {
                    let begun = try await site.work.run { [places = site.places] in
                        MigrationPlaces.read(OutgoingTransfer.self, from: places.outgoingTransfer)
                    }
                    let phone = try site.phone.phone
                    guard !PhoneSending.isUnchanged(phone, since: begun) else { return }
                    // With the keys of its proof a new phone that still waits needs no other PIN.
                    let isOver = if case .retired = phone.standing.value { true } else { false }
                    try await site.clearOutgoing(withKeys: isOver)
                } catch {
                    site.logger.warning("copies of an earlier move stay", metadata: ["reason": "\(error)"])
                }
            }
        tidying = task
        await task.value
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
            if isAtRest { break }
        }
        // The flow may have ended while an earlier state was reported.
        if state.value.step == .failed, let failure { throw failure }
        return try await current()
    }

    /// What the session's flow is paused, resumed and cancelled by, while it runs.
    func runs(_ transfer: (any RunningTransfer)?) { self.transfer = transfer }

    /// Ends with the program; what was under way goes on at its next start.
    func close() async {
        starting?.cancel()
        mark.set()
        flow?.cancel()
        await stopTelling()
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
        state.set(Self.blank(role, step, path: path, of: site))
        flow = Task { [mark] in
            await tidy()
            do {
                ended(try await work(mark), nil)
            } catch {
                ended(.failed, error)
            }
        }
        return state.value
    }

    /// The state of a move between two phones that this one is at, on this side of it.
    private func underWay(_ role: MigrationFlowState.Role) -> MigrationFlowState? {
        flow != nil && state.value.role == role && state.value.path == nil ? state.value : nil
    }

    private func ended(_ step: MigrationFlowState.Step, _ error: (any Error)?) {
        flow = nil
        transfer = nil
        sentWith = nil
        failure = error
        state.update { state in
            state.step = step
            (state.pin, state.code, state.addresses) = (nil, nil, [])
            state.timeLeft = nil
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
