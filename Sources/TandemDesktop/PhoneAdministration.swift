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
    }

    nonisolated let records: PhoneRecords
    private let parts: Parts
    private let base: DesktopBase
    /// The records as sessions and features know them.
    private var known: [DID: PairedPhone]
    /// The last call of ``applyChanges()``.
    private var applying: Task<Void, Never>?
    /// The activities that the owner leaves running of a phone that loses its right now.
    private var kept: [DID: Set<Activity.Kind>] = [:]

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

    /// - Parameter unsigned: Also for commands that prove nothing, from a phone that speaks only the documented wire.
    func allow(_ rights: Set<Right>, to phone: PairedPhone, unsigned: Bool = false) async throws -> PairedPhone {
        let rights = records.rights.given(rights)
        try await log("devices allow", phone, detail: names(rights) + (unsigned ? ", unsigned" : ""))
        let changed = try await records.store.update(phone.did) {
            $0.allowedSkills.formUnion(rights)
            if unsigned { $0.unsignedRights.formUnion(rights) }
        }
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
        let changed = try await records.store.update(phone.did) {
            $0.allowedSkills.subtract(rights)
            // A right that is taken back is taken back for every way of asking.
            $0.unsignedRights.formIntersection($0.allowedSkills)
        }
        // Not left to the difference of records: what began with a right that came and went between two looks ends too.
        await revoke(rights, of: phone, leaving: changed)
        await applyChanges()
        guard let changed else { throw DesktopError.unknownPhone(phone.name) }
        return (changed, activities.filter { !staying.contains($0.kind) })
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
        guard allowed != phone.toldRights, let peer = phone.sessionPeer else { return }
        do {
            let message = AllowedRights(allowed, saidAt: base.configuration.time.date).message
            let kept = KeptMessage(state: AllowedRights.type, message.canonicalBytes)
            try await base.reach.sessions.keep(kept, for: peer)
            let told = try await records.store.update(phone.did) { record in
                if record.agreementKey == peer.agreementKey { record.toldRights = allowed }
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
