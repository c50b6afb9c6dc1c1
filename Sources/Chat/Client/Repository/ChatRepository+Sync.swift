import Accounts
import Chat
import Foundation
import Kernel
import Logging

/// Asking the hub for what is missing. Source: invariant I4.
extension ChatRepository {
    /// Conversations of one request, and messages of each, when a device begins.
    private static let firstConversations = 50
    private static let firstMessages = 20
    /// Messages of one request for history.
    static let historyPart = 200
    /// Messages that are loaded at most to have everything unread.
    private static let unreadReach = 2000

    /// What the hub's clock may be off, in milliseconds: a day.
    private static let clockSkew: Int64 = 86_400_000

    // MARK: Sync

    /// Asks for all changes and messages since the last ones, until nothing is left.
    func sync() async throws {
        due.needsSync = false
        let began = now
        do {
            var mayReload = true
            if try await stored.read({ try $0.event() }) == nil {
                mayReload = false
                try await reload()
                // What is asked for behind it is what came meanwhile.
                try await load()
            }
            while try await syncOnce(&mayReload) {}
            await sealing.fetchedEverything(upTo: began - Self.clockSkew)
        } catch {
            due.needsSync = true
            throw error
        }
    }

    /// - Parameter mayReload: False once the list was loaded anew: a hub that says so again is not asked without end.
    /// - Returns: Whether there is more.
    private func syncOnce(_ mayReload: inout Bool) async throws -> Bool {
        let (event, records) = try await stored.read { (try $0.event() ?? 0, try $0.conversations()) }
        let known = records.filter { $0.oldest != nil }
        var isMore = false
        var parts = stride(from: 0, to: known.count, by: ChatLimits.conversations).map {
            Array(known[$0..<min($0 + ChatLimits.conversations, known.count)])
        }
        if parts.isEmpty { parts = [[]] }
        for part in parts {
            let sequences = Dictionary(uniqueKeysWithValues: part.map { ($0.id, $0.applied) })
            let answer = try await server.ask(
                ChatEndpoints.sync,
                SyncRequest(me, event: event, sequences: sequences)
            )
            guard !answer.needsReload else {
                guard mayReload else { return false }
                mayReload = false
                try await reload()
                try await load()
                return true
            }
            if try await apply(answer, since: event, sequences) { isMore = true }
        }
        return isMore
    }

    /// Everything of an answer in one transaction.
    ///
    /// - Returns: Whether the hub has more than it answered.
    private func apply(
        _ answer: SyncAnswer,
        since event: Int64,
        _ sequences: [ConversationID: Int64]
    ) async throws -> Bool {
        var arrivals: [(ConversationID, [Arrival], ClosedRange<Int64>?)] = []
        for (id, part) in answer.parts where id.peer(of: me) != nil {
            let first = max((sequences[id] ?? 0) + 1, answer.places[id]?.lowest ?? 1)
            let newest = answer.places[id]?.newest ?? first
            // Where all was cleared there is no place yet, and to note one as seen would lose the message that gets it.
            let covered = first <= newest ? Self.covered(part, of: first...newest) : nil
            arrivals.append((id, await open(part.messages, in: id), covered))
        }
        let (taken, unknown, isBehind) = try await stored.write { [early, me, arrivals] transaction in
            _ = try transaction.apply(answer.events(after: event), isAnswer: true, early: early)
            try transaction.apply(answer.places)
            for (id, arrivals, covered) in arrivals {
                try transaction.take(arrivals, covering: covered, in: id, early: early, tells: true)
            }
            let records = try answer.places.keys.filter { $0.peer(of: me) != nil }.compactMap {
                try transaction.reading.conversation($0)
            }
            let asked = records.filter { $0.oldest != nil && sequences[$0.id] != nil }
            // Without progress there is no reason to ask the same again.
            let isBehind =
                asked.contains { $0.applied < answer.places[$0.id]?.newest ?? 0 }
                && asked.contains { $0.applied > sequences[$0.id] ?? 0 }
            return (try transaction.reading.event() ?? 0, records.filter { $0.oldest == nil }.map(\.id), isBehind)
        }
        due.loads.formUnion(unknown)
        due.hasUntold = true
        for event in answer.events {
            if case .requestDeclined(let id) = event.change { due.elements.insert(id) }
        }
        for id in Array(pushed.keys) { await apply(pushed: [], in: id) }
        return isBehind || taken > event && taken < answer.event
    }

    /// The places that an answer says everything about: an empty one that has no end says nothing.
    static func covered(_ part: PulledMessages.Part, of range: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        if part.isEnd { return range }
        guard let last = part.messages.map(\.sequence).max(), last >= range.lowerBound else { return nil }
        return range.lowerBound...min(last, range.upperBound)
    }

    // MARK: The first time, and after too long a time

    /// Loads the list anew: this device has nothing yet, or changes that it lacks are not kept any more.
    private func reload() async throws {
        // The number first: what happens while the list comes is told again behind it.
        let event = try await server.ask(ChatEndpoints.sync, SyncRequest(me, event: 0, sequences: [:])).event
        let before = try await stored.read { reading in
            Dictionary(uniqueKeysWithValues: try reading.conversations().map { ($0.id, $0.newest) })
        }
        let elements = try await allElements()
        let blocks = try await allBlocks()
        let ids = try await stored.write { transaction in
            try transaction.forgetPlaces()
            try transaction.take(elements, of: before)
            try transaction.setBlocks(blocks)
            try transaction.setEvent(event)
            return try transaction.reading.conversations().filter { $0.newest > 0 }.map(\.id)
        }
        due.loads.formUnion(ids)
        due.seals.formUnion(ids)
        due.needsProfiles = true
        due.needsPresence = true
        due.hasUntold = true
    }

    private func allElements() async throws -> [ConversationElement] {
        var elements: [ConversationElement] = []
        var page = 1
        while true {
            let answer = try await server.ask(
                IMEndpoints.sortedConversations,
                SortedConversationsRequest(me, pageNumber: page, pageSize: 100)
            )
            elements += answer.elements
            // A page may be short of rows that cannot be read.
            guard page * 100 < answer.total else { return elements }
            page += 1
        }
    }

    private func allBlocks() async throws -> Set<UserID> {
        var people: Set<UserID> = []
        var page = 1
        while true {
            let answer = try await server.ask(IMEndpoints.blackList, BlackListRequest(me, pageNumber: page))
            people.formUnion(answer.people)
            guard page * ChatLimits.people < answer.total else { return people }
            page += 1
        }
    }

    /// Loads the newest page of conversations that have none, the newest conversations first, and behind it what is unread.
    func load() async throws {
        while !due.loads.isEmpty {
            let wanted = due.loads
            let records = try await stored.read { reading in
                // Where all was cleared there is nothing to load: an answer about the next place would say that it was seen.
                try wanted.compactMap { try reading.conversation($0) }.filter {
                    $0.oldest == nil && $0.newest >= max($0.lowest, 1)
                }
            }
            let part = records.sorted { $0.preview > $1.preview }.prefix(Self.firstConversations)
            guard !part.isEmpty else {
                due.loads.subtract(wanted)
                return
            }
            let ranges = part.map { record in
                (
                    record,
                    max(record.lowest, record.newest - Int64(Self.firstMessages) + 1)...record.newest
                )
            }
            let request = PullRequest(
                me,
                ranges.map { PullRequest.Part($0.0.id, $0.1, count: Self.firstMessages) },
                order: .descending
            )
            let answer = try await server.ask(IMEndpoints.pull, request)
            for (record, range) in ranges {
                guard let found = answer.parts[record.id] else { continue }
                guard let covered = Self.coveredBack(found, of: range) else { continue }
                try await take(found, covering: covered, in: record.id, tells: true)
                due.loads.remove(record.id)
                due.elements.insert(record.id)
                try await reachUnread(record.id)
                await apply(pushed: [], in: record.id)
            }
            // Conversations of which the hub said nothing are asked for with the next sync.
            if part.allSatisfy({ due.loads.contains($0.id) }) { due.loads.subtract(part.map(\.id)) }
        }
    }

    /// As ``covered(_:of:)``, of an answer that goes back from the end.
    static func coveredBack(_ part: PulledMessages.Part, of range: ClosedRange<Int64>) -> ClosedRange<Int64>? {
        if part.isEnd { return range }
        guard let first = part.messages.map(\.sequence).filter({ $0 > 0 }).min(), first <= range.upperBound else {
            return nil
        }
        return max(first, range.lowerBound)...range.upperBound
    }

    private func take(
        _ part: PulledMessages.Part,
        covering covered: ClosedRange<Int64>,
        in id: ConversationID,
        tells: Bool
    ) async throws {
        let arrivals = await open(part.messages, in: id)
        try await stored.write { [early] in
            try $0.take(arrivals, covering: covered, in: id, early: early, tells: tells)
        }
    }

    /// Has everything unread here, so that it is counted here.
    private func reachUnread(_ id: ConversationID) async throws {
        for _ in 0..<(Self.unreadReach / Self.historyPart) {
            guard let record = try await stored.read({ try $0.conversation(id) }), let oldest = record.oldest,
                oldest > record.readUpTo + 1, oldest > record.lowest
            else { return }
            guard try await pullOlder(record) else { return }
        }
    }

    /// Asks for what lies before everything that is here.
    ///
    /// - Returns: False where nothing came.
    func pullOlder(_ record: ConversationRecord) async throws -> Bool {
        guard let oldest = record.oldest, oldest > record.lowest else { return false }
        let range = max(record.lowest, oldest - Int64(Self.historyPart))...(oldest - 1)
        let request = PullRequest(
            me,
            [PullRequest.Part(record.id, range, count: Self.historyPart)],
            order: .descending
        )
        let answer = try await server.ask(IMEndpoints.pull, request)
        guard let part = answer.parts[record.id], let covered = Self.coveredBack(part, of: range) else { return false }
        try await take(part, covering: covered, in: record.id, tells: false)
        return true
    }

    // MARK: Gaps

    /// Asks for what is missing before what was pushed or sent.
    func repair(_ id: ConversationID) async throws {
        while let record = try await stored.read({ try $0.conversation(id) }), record.oldest != nil {
            let waiting = pushed[id]?.map(\.data.sequence).min()
            let end = waiting.map { $0 - 1 } ?? record.newest
            guard end > record.applied else { break }
            let range = (record.applied + 1)...min(end, record.applied + Int64(ChatLimits.pull))
            let answer = try await server.ask(IMEndpoints.pull, PullRequest(me, [PullRequest.Part(id, range)]))
            guard let part = answer.parts[id], let covered = Self.covered(part, of: range) else { break }
            try await take(part, covering: covered, in: id, tells: true)
        }
        due.repairs.remove(id)
        await apply(pushed: [], in: id)
    }

    // MARK: Rows of the list

    /// Asks how conversations stand that are new here, or that the hub changed without telling a place.
    func refreshElements() async throws {
        while !due.elements.isEmpty {
            let asked = due.elements.sorted { $0.text < $1.text }.prefix(ChatLimits.people)
            let (event, before) = try await stored.read { reading in
                let pairs = try asked.map { ($0, try reading.conversation($0)?.newest ?? 0) }
                return (try reading.event(), Dictionary(uniqueKeysWithValues: pairs))
            }
            let answer = try await server.ask(
                IMEndpoints.sortedConversations,
                SortedConversationsRequest(me, conversations: Array(asked))
            )
            let isNew = try await stored.write { transaction in
                // A change came meanwhile, of which the answer may be from before: asked again.
                guard try transaction.reading.event() == event else { return false }
                try transaction.take(answer.elements, of: before)
                return true
            }
            if isNew { due.elements.subtract(asked) }
        }
    }

    // MARK: What the hub is told

    /// Tells how far this person has read, what has reached this device, and drafts. What the hub refuses is not told again.
    func tellUntold() async throws {
        due.hasUntold = false
        do {
            for record in try await stored.read({ try $0.untold() }) { try await tell(record) }
            for record in try await stored.read({ try $0.untoldDrafts() }) { try await tellDraft(record) }
        } catch {
            due.hasUntold = true
            throw error
        }
    }

    private func tell(_ record: ConversationRecord) async throws {
        let (id, read) = (record.id, min(record.readUpTo, record.newest))
        if read > record.readTold {
            try await unlessRefused {
                _ = try await server.ask(
                    IMEndpoints.markConversationRead,
                    MarkConversationRead(me, id, readSequence: read)
                )
            }
            try await stored.write { try $0.change(id) { $0.readTold = max($0.readTold, read) } }
        }
        let received = record.applied
        if received > max(record.receivedTold, read) {
            try await unlessRefused {
                _ = try await server.ask(ChatEndpoints.received, MarkReceived(me, id, sequence: received))
            }
        }
        if received > record.receivedTold {
            try await stored.write { try $0.change(id) { $0.receivedTold = max($0.receivedTold, received) } }
        }
        if !record.isDraftTold { try await tellDraft(record) }
    }

    /// Drafts of sealed conversations stay here.
    private func tellDraft(_ record: ConversationRecord) async throws {
        let (id, draft) = (record.id, record.draft)
        if !record.isSealed {
            var settings = ConversationSettings()
            settings.draft = draft ?? ""
            try await unlessRefused {
                _ = try await server.ask(IMEndpoints.setConversations, SetConversations(me, id, settings))
            }
        }
        try await stored.write { transaction in
            try transaction.change(id) { if $0.draft == draft { $0.isDraftTold = true } }
        }
    }

    private func unlessRefused(_ ask: () async throws -> Void) async throws {
        do {
            try await ask()
        } catch let error as ChatError where !error.isTransport {
            logger.debug("the hub refused a note", metadata: ["reason": "\(error)"])
        }
    }

    // MARK: People

    /// Asks for names that are not known, or not any more, in hundreds. Source: rule L4.
    func fetchProfiles() async throws {
        due.needsProfiles = false
        let old = now - Self.profileLife
        let people = try await stored.read { try $0.staleProfiles(before: old) }
        for first in stride(from: 0, to: people.count, by: ChatLimits.people) {
            let asked = Array(people[first..<min(first + ChatLimits.people, people.count)])
            do {
                let answer = try await server.ask(ChatEndpoints.profiles, ProfilesRequest(asked))
                let now = now
                try await stored.write { try $0.keep(answer.profiles, of: asked, at: now) }
            } catch let error as ChatError where !error.isTransport {
                // Names stay as they were.
                logger.debug("no names came", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Asks for one person's name and picture now.
    ///
    /// - Returns: What is known of them; nil for nothing. Without the hub it stays as it was.
    @discardableResult
    func refreshProfile(of person: UserID) async -> Profile? {
        do {
            let answer = try await server.ask(ChatEndpoints.profiles, ProfilesRequest([person]))
            let now = now
            try await stored.write { try $0.keep(answer.profiles, of: [person], at: now) }
        } catch {
            logger.debug("a profile did not come", metadata: ["reason": "\(error)"])
        }
        return try? await stored.read { try $0.profile(person) }  // as where nobody is known
    }

    /// Follows who is there, of the people at the top of the list.
    func followPresence() async {
        due.needsPresence = false
        do {
            let people = try await stored.read { reading in
                try reading.list().filter { $0.record.request == nil }.prefix(ChatLimits.people).map(\.record.peer)
            }
            guard !people.isEmpty else { return }
            let answer = try await server.ask(IMEndpoints.watchPresence, WatchedPeople(people))
            await setOnline(
                Dictionary(answer.statuses.map { ($0.person, $0.isOnline) }, uniquingKeysWith: { first, _ in first })
            )
        } catch {
            // Nobody is shown as there; the next connection asks again.
            logger.debug("presence is not known", metadata: ["reason": "\(error)"])
        }
    }
}
