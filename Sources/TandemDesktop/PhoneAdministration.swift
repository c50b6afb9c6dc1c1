import CommandServer
import Commands
import Foundation
import Kernel
import Logging
import Pairing
import Rights
import Sealing
import Transport

/// The owner's decisions about paired phones, and the consequences of every change of a record, by any cause: the session of a phone that
/// left ends on both sides, and activities that needed a lost right end.
actor PhoneAdministration {
    /// The parts that a change reaches.
    struct Parts: Sendable {
        let base: DesktopBase
        let records: PhoneRecords
        let pairing: PairingHost
        let listener: SessionListener
        let router: CommandRouter
        let streams: ActiveStreams
        let keepers: [any ActivityKeeper]
        /// What is shown to the owner ends with the desktop.
        let tasks: OwnedTasks
    }

    /// The longest time between two looks at the clock that people set, in case it was, while a right has an end.
    private static let look = Duration.seconds(10)
    /// The time until what could not be ended is tried again.
    private static let retry = Duration.seconds(1)
    /// In seconds: how often it is noted how far the time of rights came, and how much a clock may go wrong unnoticed.
    private static let noted = 60.0
    private static let tolerance = 2.0

    nonisolated let records: PhoneRecords
    /// Tells that phones ask for other rights than before.
    nonisolated let askChanges = Broadcaster<Void>(capacity: 1)
    private let parts: Parts
    private let base: DesktopBase
    /// The records as sessions and features know them.
    private var known: [DID: PairedPhone]
    /// The last call of ``applyChanges()``.
    private var applying: Task<Void, Never>?
    /// The activities that the owner leaves running of a phone that loses its right now.
    private var kept: [DID: Set<Activity.Kind>] = [:]
    private var rightAsks = RightAsks()

    init(_ parts: Parts) {
        self.parts = parts
        base = parts.base
        records = parts.records
        known = Self.byDID(parts.records.all())
    }

    private static func byDID(_ phones: [PairedPhone]) -> [DID: PairedPhone] {
        Dictionary(phones.map { ($0.did, $0) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: The owner

    /// - Parameters:
    ///   - unsigned: Also for commands that prove nothing, from a phone that speaks only the documented wire.
    ///   - duration: The time after which these rights end, within ``RightTerm/range``; nil for never. What they build on ends with them where
    ///     the phone did not have it, and never sooner.
    func allow(
        _ rights: Set<Right>,
        to phone: PairedPhone,
        unsigned: Bool = false,
        for duration: Duration? = nil
    ) async throws -> PairedPhone {
        let given = records.rights.given(rights)
        let date = base.configuration.time.date
        let term = duration.map { RightTerm(endsAt: date.addingTimeInterval($0 / .seconds(1)), checkedAt: date) }
        let words = [unsigned ? "unsigned" : nil, term.map { "until \($0.endsAt.ISO8601Format())" }].compactMap(\.self)
        try await log("devices allow", phone, detail: ([names(given)] + words).joined(separator: ", "))
        let changed = try await records.store.update(phone.did) { record in
            for right in given {
                let isForGood = record.allowedSkills.contains(right) && record.terms[right] == nil
                let isBase = !rights.contains(right)
                guard let term else {
                    record.terms[right] = nil
                    continue
                }
                if isBase, isForGood || record.terms[right].map({ $0.endsAt >= term.endsAt }) == true { continue }
                record.terms[right] = term
            }
            record.allowedSkills.formUnion(given)
            if unsigned { record.unsignedRights.formUnion(given) }
        }
        if rightAsks.forget(given, of: phone.did) { askChanges.send(()) }
        await applyChanges()
        guard let changed else { throw DesktopError.unknownPhone(phone.name) }
        return changed
    }

    /// - Parameter keepsShells: Leaves running what may outlive its right, such as the phone's shells, without the phone.
    /// - Returns: The record, and what ended.
    func deny(_ rights: Set<Right>, to phone: PairedPhone, keepsShells: Bool) async throws -> (
        phone: PairedPhone, ended: [Activity]
    ) {
        let rights = records.rights.takenBack(rights)
        try await log("devices deny", phone, detail: names(rights))
        let activities = await activities(of: phone.did).filter { rights.contains($0.kind.right) }
        let staying = keepsShells ? Set(activities.map(\.kind).filter(\.mayOutliveRight)) : []
        kept[phone.did] = staying
        defer { kept[phone.did] = nil }
        let changed = try await records.store.update(phone.did) { $0.remove(rights) }
        // Not left to the difference of records: what began with a right that came and went between two looks ends too.
        await revoke(rights, of: phone, leaving: changed)
        await applyChanges()
        guard let changed else { throw DesktopError.unknownPhone(phone.name) }
        return (changed, activities.filter { !staying.contains($0.kind) })
    }

    /// Ends what was given for a time that is up, and requests that nobody answered. What is still under way by such a right ends as by
    /// ``deny(_:to:keepsShells:)``, also where the log or the record cannot be written: then it is tried again at the next look.
    ///
    /// - Returns: When to look again; nil while nothing ends by itself.
    func endWhatIsOver() async -> ContinuousClock.Instant? {
        let time = base.configuration.time
        for phone in records.all() where !phone.terms.isEmpty {
            let over = records.rights.takenBack(records.deadlines.over(of: phone)).intersection(phone.allowedSkills)
            guard over.isEmpty else {
                await end(over, of: phone)
                continue
            }
            await note(phone)
        }
        let changed = rightAsks.pass(now: time.now, date: time.date)
        if !changed.isEmpty { askChanges.send(()) }
        for phone in changed { if let record = records.record(phone) { await tell(record) } }
        let phones = records.all()
        records.deadlines.keep(only: phones)
        let end = Self.nextLook(at: records.deadlines.next(of: phones), now: time.now)
        return [end, rightAsks.next].compactMap(\.self).min()
    }

    /// When rights are looked at again: at the next end, at the latest after ``look``; and where an end is past already, because the disk did not
    /// take it, after ``retry`` and not at once.
    static func nextLook(at end: ContinuousClock.Instant?, now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        end.map { $0 > now ? min($0, now + look) : now + retry }
    }

    private func end(_ rights: Set<Right>, of phone: PairedPhone) async {
        base.stores.audit.record(
            .owner(
                "devices deny",
                phone.did.text,
                name: phone.name,
                detail: names(rights) + ", the time was up",
                date: base.configuration.time.date
            )
        )
        do {
            // Given again meanwhile, it has another end.
            let changed = try await records.store.update(phone.did) { record in
                record.remove(rights.filter { record.terms[$0] == phone.terms[$0] })
            }
            await revoke(rights.subtracting(changed?.allowedSkills ?? []), of: phone, leaving: changed)
        } catch {
            base.logger.error("a right that is over is still in the record", metadata: ["reason": "\(error)"])
            await revoke(rights, of: phone, leaving: phone)
        }
        await applyChanges()
    }

    /// Notes how far the time of a phone's rights came, so that a clock that is set back while this program is away gives them nothing more;
    /// and where it was set back while it runs, moves the ends to where they belong.
    private func note(_ phone: PairedPhone) async {
        let date = base.configuration.time.date
        var terms: [Right: RightTerm] = [:]
        for (right, term) in phone.terms {
            let left = records.deadlines.left(of: right, term, at: phone.did)
            let end = date.addingTimeInterval(left / .seconds(1))
            let isSetBack = term.endsAt.timeIntervalSince(end) > Self.tolerance
            guard isSetBack || date.timeIntervalSince(term.checkedAt) >= Self.noted else { continue }
            terms[right] = RightTerm(endsAt: isSetBack ? end : term.endsAt, checkedAt: date)
        }
        guard !terms.isEmpty else { return }
        for (right, term) in terms {
            guard let earlier = phone.terms[right] else { continue }
            records.deadlines.moved(right, of: phone.did, from: earlier, to: term)
        }
        do {
            _ = try await records.store.update(phone.did) { [terms] record in
                for (right, term) in terms where record.terms[right] == phone.terms[right] {
                    record.terms[right] = term
                }
            }
        } catch {
            base.logger.error("the time of rights is not noted", metadata: ["reason": "\(error)"])
        }
    }

    /// Gives a phone another name on this computer.
    func rename(_ phone: PairedPhone, to name: String) async throws -> PairedPhone {
        try await log("devices rename", phone, detail: name)
        guard let renamed = try await records.store.update(phone.did, { $0.name = name }) else {
            throw DesktopError.unknownPhone(phone.name)
        }
        return renamed
    }

    /// Removes a phone; it is told now if it is connected, else when it comes.
    ///
    /// - Returns: What ended.
    @discardableResult
    func forget(_ phone: DID) async throws -> [Activity] {
        guard let record = records.record(phone) else { return [] }
        try await log("devices forget", record)
        let ended = await activities(of: phone)
        try await parts.pairing.forget(phone)
        await leave(record)
        return ended
    }

    /// Says yes to a phone that asks.
    func accept(
        _ id: PairingRequest.ID,
        comparison: PairingComparison?,
        allowing rights: Set<Right>
    ) async throws -> PairedPhone {
        if let request = await parts.pairing.requests().first(where: { $0.id == id }) {
            let entry = AuditEntry.owner(
                "pair accept",
                request.did.text,
                name: request.name,
                detail: names(records.rights.initial.union(rights)),
                date: base.configuration.time.date
            )
            try await base.stores.audit.admit(entry)
        }
        let phone = try await parts.pairing.accept(id, comparison: comparison, allowing: rights)
        await applyChanges()
        return phone
    }

    /// Pairs with a phone whose code the owner scanned.
    func scan(_ qr: DevicePairingQR, options: PairingOptions) async throws -> PairedPhone {
        let rights = names(records.rights.initial.union(options.allowing))
        let name = qr.deviceInfo.name
        try await base.stores.audit.admit(
            .owner("pair scan", qr.did.text, name: name, detail: rights, date: base.configuration.time.date)
        )
        return try await parts.pairing.pair(with: qr, options: options)
    }

    // MARK: What phones ask for

    /// A phone asks for a right.
    ///
    /// - Throws: `RemoteFailure` for a name that is no right here, for a phone that is not paired, and when too many requests wait.
    func ask(_ right: Right, by phone: DID) async throws -> RightQuestionAnswer {
        guard let record = records.record(phone) else { throw GateRefusal.notPaired.failure }
        guard let declaration = records.rights[right] else {
            throw RemoteFailure.badParameter("right", "the name of a right of this computer")
        }
        guard !records.allowed(record).contains(right) else { return RightQuestionAnswer(state: "allowed", until: 0) }
        let time = base.configuration.time
        let outcome = rightAsks.ask(right, by: phone, now: time.now, date: time.date)
        switch outcome {
        case .tooMany:
            throw RemoteFailure(
                code: FailureCode.busy,
                message: "Too many requests wait for the computer's owner. Ask again once they are answered."
            )
        case .known(let ask): return RightQuestionAnswer(ask)
        case .asked(let ask):
            askChanges.send(())
            show(record, declaration)
            await tell(record)
            return RightQuestionAnswer(ask)
        }
    }

    /// The requests that wait for the owner, the oldest first.
    func asks() -> [RightAskList.Entry] {
        rightAsks.waiting.compactMap { ask in
            guard let phone = records.record(ask.phone), let declaration = records.rights[ask.right] else { return nil }
            return RightAskList.Entry(phone, declaration, askedAt: ask.askedAt, expiresAt: ask.untilDate)
        }
    }

    /// Says no to what a phone asks for.
    ///
    /// - Parameter right: Nil for all of it.
    /// - Returns: Whether it had asked.
    func refuse(_ right: Right?, to phone: PairedPhone) async throws -> Bool {
        let time = base.configuration.time
        var after = rightAsks
        guard after.refuse(right, of: phone.did, now: time.now, date: time.date) else { return false }
        try await log("devices refuse", phone, detail: right?.rawValue)
        _ = rightAsks.refuse(right, of: phone.did, now: time.now, date: time.date)
        askChanges.send(())
        if let record = records.record(phone.did) { await tell(record) }
        return true
    }

    /// Says at the computer that a phone asks: in the log, which `up` shows, and on the desktop.
    private func show(_ phone: PairedPhone, _ declaration: RightDeclaration) {
        base.logger.notice(
            "a phone asks for a right; answer with tandem devices allow, or tandem devices refuse",
            metadata: ["phone": "\(phone.name)", "right": "\(declaration.right)"]
        )
        guard let notifier = base.configuration.notifier else { return }
        parts.tasks.add { [logger = base.logger] in
            do {
                try await notifier.notify(
                    "\(phone.name) asks to \(declaration.meaning)",
                    "Answer on this computer's page, or with: tandem devices asks"
                )
            } catch {
                logger.debug("no notification shown", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// - Throws: When it cannot be written: then the owner's act is not done either.
    private func log(_ act: String, _ phone: PairedPhone, detail: String? = nil) async throws {
        try await base.stores.audit.admit(
            .owner(act, phone.did.text, name: phone.name, detail: detail, date: base.configuration.time.date)
        )
    }

    private func names(_ rights: Set<Right>) -> String {
        records.rights.sorted(rights).map(\.rawValue).joined(separator: ", ")
    }

    // MARK: What goes on

    func activities(of phone: DID? = nil) async -> [Activity] {
        var activities: [Activity] = []
        for keeper in parts.keepers { activities += await keeper.activities() }
        return activities.filter { phone == nil || $0.device == phone?.text }.sorted { $0.id < $1.id }
    }

    /// - Returns: Whether there was one that could be ended.
    func endActivity(_ id: Activity.ID) async throws -> Bool {
        guard let activity = await activities().first(where: { $0.id == id }) else { return false }
        let name = (try? DID(activity.device)).flatMap { records.record($0) }?.name ?? ""
        try await base.stores.audit.admit(
            .owner("activity end", activity.device, name: name, detail: id, date: base.configuration.time.date)
        )
        for keeper in parts.keepers where await keeper.end(id) { return true }
        return false
    }

    // MARK: Changes of records

    /// Brings sessions and features up to the records, as they are now. Returns when that is done, also where another call does it.
    func applyChanges() async {
        let earlier = applying
        let task = Task {
            await earlier?.value
            await self.applyRecords()
        }
        applying = task
        await task.value
    }

    private func applyRecords() async {
        let now = Self.byDID(records.all())
        let before = known
        known = now
        // Side by side: a phone that does not hear its good-bye holds up no other.
        await withDiscardingTaskGroup { group in
            for (did, phone) in before {
                guard let record = now[did], record.agreementKey == phone.agreementKey else {
                    group.addTask { await self.leave(phone) }
                    continue
                }
                let lost = phone.allowedSkills.subtracting(record.allowedSkills)
                if !lost.isEmpty { group.addTask { await self.revoke(lost, of: phone, leaving: record) } }
            }
        }
        for phone in now.values { await tell(phone) }
        for (did, phone) in now where before[did] == nil && base.configuration.acceptsEverybody {
            let detail = "without asking (--yes): " + names(phone.allowedSkills)
            base.stores.audit.record(
                .owner("pair accept", did.text, name: phone.name, detail: detail, date: base.configuration.time.date)
            )
        }
    }

    /// Tells a phone what it is allowed when that is not what it was told last: by the owner, by pairing, or by a version of this program
    /// with other rights. Kept until the phone has it, and written down only then, so that a crash in between tells it twice.
    private func tell(_ phone: PairedPhone) async {
        let allowed = phone.allowedSkills.intersection(records.rights.all)
        let ends = phone.terms.ends.filter { allowed.contains($0.key) }
        let said = AllowedRights(
            allowed,
            ends: ends,
            asks: rightAsks.asks(of: phone.did),
            saidAt: base.configuration.time.date
        )
        guard allowed != phone.toldRights || said.more != phone.toldMore, let peer = phone.sessionPeer else { return }
        do {
            let kept = KeptMessage(state: AllowedRights.type, said.message.canonicalBytes)
            try await base.reach.sessions.keep(kept, for: peer)
            let told = try await records.store.update(phone.did) { record in
                guard record.agreementKey == peer.agreementKey else { return }
                record.toldRights = allowed
                record.toldMore = said.more
            }
            if told?.agreementKey != peer.agreementKey {
                try await base.reach.sessions.dropKept(topics: [kept.topic], for: peer)
            }
        } catch {
            // The next change of a record, or start, tries again.
            base.logger.error("a phone is not told what it may do", metadata: ["reason": "\(error)"])
        }
    }

    /// A phone is not paired any more, with this key: everything of it ends, and it is told.
    private func leave(_ phone: PairedPhone) async {
        let record = records.record(phone.did)
        if rightAsks.forget(of: phone.did) { askChanges.send(()) }
        // With a new key it is another phone under its old name; what the old one began ends all the same.
        await revoke(records.rights.all, of: phone, leaving: record)
        await base.reach.clearDoor.forget(phone.did)
        guard let peer = phone.sessionPeer, record?.agreementKey != peer.agreementKey else { return }
        await endSession(with: peer)
    }

    private func revoke(_ rights: Set<Right>, of phone: PairedPhone, leaving record: PairedPhone?) async {
        let device = phone.did.text
        await parts.router.revoke(device, leaving: record.map { records.caller($0, proof: .session) })
        parts.streams.cancelAll(of: device)
        for keeper in parts.keepers { await keeper.revoke(rights, of: device, keeping: kept[phone.did] ?? []) }
        guard let peer = phone.sessionPeer else { return }
        do {
            try await base.reach.sessions.dropKept(topics: Set(rights.map(\.rawValue)), for: peer)
        } catch {
            base.logger.error(
                "messages for a phone that lost a right are still kept",
                metadata: ["reason": "\(error)"]
            )
        }
    }

    /// Tells a phone that it is not paired any more, and lets go of its session.
    func endSession(with peer: SessionPeer) async {
        await base.reach.sessions.end(with: peer, saying: PairingForget.message)
        // Paired anew while the good-bye was on its way: the session is of the new pairing.
        guard records.record(peer.did)?.agreementKey != peer.agreementKey else { return }
        await parts.listener.remove(peer.agreementKey)
        do {
            try await base.stores.sessions.forget(peer.agreementKey)
        } catch {
            base.logger.error("the session of a phone that left is still kept", metadata: ["reason": "\(error)"])
        }
    }

    /// Keeps the name that a phone says, unless the owner gave it one.
    func named(_ phone: DID, _ name: OwnName) async {
        // Said at each reconnect, mostly the same.
        guard let record = records.record(phone), record.toldName != name.name else { return }
        // The owner answers a request by the name that stands there: no phone takes another one's.
        guard !records.all().contains(where: { $0.did != phone && $0.name.lowercased() == name.name.lowercased() })
        else {
            base.logger.notice(
                "a phone says the name of another one, and keeps its own",
                metadata: ["phone": "\(record.name)"]
            )
            return
        }
        do {
            _ = try await records.store.update(phone) { $0.take(name) }
        } catch {
            base.logger.error("a phone's name is not kept", metadata: ["reason": "\(error)"])
        }
    }

    /// The phone left by itself.
    func forgotten(by phone: DID) async {
        let connection = await base.reach.sessions.connection(with: phone)
        // A good-bye in answer could reach it when it has paired anew.
        if let connection { await base.reach.sessions.remove(connection) }
        do {
            try await parts.pairing.forgotten(by: phone)
            // At once: one that is paired again soon begins with a connection of its own, which the features then know.
            if let connection { await parts.listener.remove(connection.peer.agreementKey) }
            await applyChanges()
            base.logger.notice("forgotten by the phone", metadata: ["phone": "\(phone)"])
        } catch {
            if let connection { await base.reach.sessions.add(connection) }
            base.logger.error("record not removed", metadata: ["reason": "\(error)"])
        }
    }
}

extension RightQuestionAnswer {
    fileprivate init(_ ask: RightAsks.Ask) {
        self.init(state: ask.stage.rawValue, until: ask.untilDate.millisecondsSince1970)
    }
}
