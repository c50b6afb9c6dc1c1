package import CommandServer
import Commands
import Foundation
import Kernel
import Logging
import Pairing
import Rights
package import Sealing
import Transport

/// What the owner decides about paired phones, and what follows from every change of a record, whoever made it: the session of a
/// phone that left ends on both sides, and what a lost right kept going ends.
extension Desktop {
    // MARK: The owner

    /// - Parameter unsigned: Also for commands that prove nothing, from a phone that speaks only the documented wire.
    func allow(_ rights: Set<Right>, to phone: PairedPhone, unsigned: Bool = false) async throws -> PairedPhone {
        try await log("devices allow", phone, detail: Self.names(rights) + (unsigned ? ", unsigned" : ""))
        let changed = try await phones.update(phone.did) {
            $0.allowedSkills.formUnion(rights)
            if unsigned { $0.unsignedRights.formUnion(rights) }
        }
        await settleRecords()
        guard let changed else { throw DesktopError.unknownPhone(phone.name) }
        return changed
    }

    /// - Parameter keepsShells: Leaves the phone's shells running, without the phone.
    /// - Returns: The record, and what ended.
    func deny(_ rights: Set<Right>, to phone: PairedPhone, keepsShells: Bool) async throws -> (
        phone: PairedPhone, ended: [Activity]
    ) {
        try await log("devices deny", phone, detail: Self.names(rights))
        let kept: Set<Activity.Kind> = keepsShells ? [.terminal] : []
        let ended = await activities(of: phone.did).filter {
            rights.contains($0.kind.right) && !kept.contains($0.kind)
        }
        keptActivities[phone.did] = kept
        defer { keptActivities[phone.did] = nil }
        let changed = try await phones.update(phone.did) {
            $0.allowedSkills.subtract(rights)
            // A right that is taken back is taken back for every way of asking.
            $0.unsignedRights.formIntersection($0.allowedSkills)
        }
        // Not left to the difference of records: what began with a right that came and went between two looks ends too.
        await revoke(rights, of: phone.did, leaving: changed)
        await settleRecords()
        guard let changed else { throw DesktopError.unknownPhone(phone.name) }
        return (changed, ended)
    }

    /// Removes a phone; it is told now if it is connected, else when it comes.
    ///
    /// - Returns: What ended.
    @discardableResult
    package func forget(_ phone: DID) async throws -> [Activity] {
        guard let record = phones.record(phone) else { return [] }
        try await log("devices forget", record)
        let ended = await activities(of: phone)
        try await pairing.forget(phone)
        await leave(record)
        return ended
    }

    /// Says yes to a phone that asks.
    func accept(
        _ id: PairingRequest.ID,
        comparison: PairingComparison?,
        allowing rights: Set<Right>
    ) async throws -> PairedPhone {
        if let request = await pairing.requests().first(where: { $0.id == id }) {
            let entry = AuditEntry.owner(
                "pair accept",
                request.did.text,
                name: request.name,
                detail: Self.names(Right.initial.union(rights)),
                date: Date()
            )
            try await audit.admit(entry)
        }
        let phone = try await pairing.accept(id, comparison: comparison, allowing: rights)
        await settleRecords()
        return phone
    }

    /// Pairs with a phone whose code the owner scanned.
    func scan(_ qr: DevicePairingQR, options: PairingOptions) async throws -> PairedPhone {
        let rights = Self.names(Right.initial.union(options.allowing))
        let name = qr.deviceInfo.name
        try await audit.admit(.owner("pair scan", qr.did.text, name: name, detail: rights, date: Date()))
        return try await pairing.pair(with: qr, options: options)
    }

    /// - Throws: When it cannot be written: then the owner's act is not done either.
    private func log(_ act: String, _ phone: PairedPhone, detail: String? = nil) async throws {
        try await audit.admit(.owner(act, phone.did.text, name: phone.name, detail: detail, date: Date()))
    }

    private static func names(_ rights: Set<Right>) -> String {
        rights.sorted().map(\.rawValue).joined(separator: ", ")
    }

    // MARK: What goes on

    func activities(of phone: DID? = nil) async -> [Activity] {
        var activities: [Activity] = []
        for keeper in skills.keepers { activities += await keeper.activities() }
        return activities.filter { phone == nil || $0.device == phone?.text }.sorted { $0.id < $1.id }
    }

    /// - Returns: Whether there was one that could be ended.
    func endActivity(_ id: Activity.ID) async throws -> Bool {
        guard let activity = await activities().first(where: { $0.id == id }) else { return false }
        let name = (try? DID(activity.device)).flatMap { phones.record($0) }?.name ?? ""
        try await audit.admit(.owner("activity end", activity.device, name: name, detail: id, date: Date()))
        for keeper in skills.keepers where await keeper.end(id) { return true }
        return false
    }

    // MARK: Changes of records

    /// Brings sessions and features up to the records, as they are now. Returns when that is done, also where another call does it.
    func settleRecords() async {
        let earlier = settling
        let task = Task {
            await earlier?.value
            await self.applyRecords()
        }
        settling = task
        await task.value
    }

    private func applyRecords() async {
        let records = Dictionary(phones.all().map { ($0.did, $0) }, uniquingKeysWith: { first, _ in first })
        let before = knownPhones
        knownPhones = records
        // Side by side: a phone that does not hear its good-bye holds up no other.
        await withDiscardingTaskGroup { group in
            for (did, phone) in before {
                guard let record = records[did], record.agreementKey == phone.agreementKey else {
                    group.addTask { await self.leave(phone) }
                    continue
                }
                let lost = phone.allowedSkills.subtracting(record.allowedSkills)
                if !lost.isEmpty { group.addTask { await self.revoke(lost, of: did, leaving: record) } }
            }
        }
        for (did, phone) in records where before[did] == nil && configuration.acceptsEverybody {
            let detail = "without asking (--yes): " + Self.names(phone.allowedSkills)
            audit.record(.owner("pair accept", did.text, name: phone.name, detail: detail, date: Date()))
        }
    }

    /// A phone is not paired any more, with this key: everything of it ends, and it is told.
    private func leave(_ phone: PairedPhone) async {
        let record = phones.record(phone.did)
        // With a new key it is another phone under its old name; what the old one began ends all the same.
        await revoke(Set(Right.allCases), of: phone.did, leaving: record)
        await clearDoor.forget(phone.did)
        guard let key = phone.agreementKey, record?.agreementKey != key else { return }
        await endSession(with: phone.did, key)
    }

    private func revoke(_ rights: Set<Right>, of phone: DID, leaving record: PairedPhone?) async {
        await router.revoke(phone.text, leaving: record.map { Self.caller($0, proof: .session) })
        streams.cancelAll(of: phone.text)
        for keeper in skills.keepers {
            await keeper.revoke(rights, of: phone.text, keeping: keptActivities[phone] ?? [])
        }
    }

    private func endSession(with phone: DID, _ key: AgreementPublicKey) async {
        if let connection = connections[phone], connection.peer.agreementKey == key {
            connections[phone] = nil
            do {
                try await connection.sendLast(try JSONValue(encoding: PairingForget()).canonicalBytes)
            } catch {
                // It is away, or does not answer: it learns that it is not paired when it comes back.
                logger.info("a phone that left was not told yet", metadata: ["reason": "\(error)"])
            }
        }
        // Paired anew while the good-bye was on its way: the session is of the new pairing.
        guard phones.record(phone)?.agreementKey != key else { return }
        await listener.remove(key)
        do {
            try await sessions.forget(key)
        } catch {
            logger.error("the session of a phone that left is still kept", metadata: ["reason": "\(error)"])
        }
    }
}
