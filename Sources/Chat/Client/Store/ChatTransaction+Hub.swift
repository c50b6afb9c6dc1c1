import Accounts
import Chat
import Storage

/// What the hub says.
extension ChatTransaction {
    // MARK: Events

    /// Applies the changes that follow the last one that is here; earlier ones are passed over.
    ///
    /// - Parameter isAnswer: They answer the question for all that follows. A number that is missing there is missing at the hub, and asking for it
    ///   again would have no end.
    /// - Returns: False where some are missing before these. Source: invariant I4.
    func apply(_ events: [ChatEvent], isAnswer: Bool = false, early: EarlyBook) throws -> Bool {
        let before = try reading.event() ?? 0
        var last = before
        var isWhole = true
        for event in events {
            guard let number = event.number else { continue }
            if number <= last { continue }
            guard number == last + 1 || isAnswer else {
                isWhole = false
                break
            }
            try apply(event.change, early: early)
            last = number
        }
        if last != before { try setEvent(last) }
        return isWhole
    }

    private func apply(_ event: ChatEvent.Change, early: EarlyBook) throws {
        switch event {
        case .recalled(let id, let place, let clientMessageID, let person, _):
            guard id.peer(of: me) != nil else { return }
            let target = MessageKey(sender: person, clientMessageID: clientMessageID)
            try change(id) { record in
                try recall(IncomingItem.Recall(target: target, sequence: place), in: record, early: early)
                let isOlder = place > record.readUpTo && place < record.oldest ?? .max
                if isOlder, person != me { record.olderUnread = max(0, record.olderUnread - 1) }
            }
        case .destroyed(let id, let place, let clientMessageID): try destroy(id, place, clientMessageID, early: early)
        case .read(let id, let place):
            try changeOwn(id) {
                $0.readUpTo = max($0.readUpTo, place)
                $0.readTold = max($0.readTold, place)
            }
        case .peerRead(let id, let place):
            try changeOwn(id) {
                $0.peerRead = max($0.peerRead, place)
                $0.peerReceived = max($0.peerReceived, place)
            }
            notePeerRead(id, upTo: place)
        case .settings(let id, let settings): try changeOwn(id) { $0.take(settings) }
        case .cleared(let id, let place): try changeOwn(id) { try clear(&$0, before: place) }
        case .hidden(let id, let place): try changeOwn(id) { $0.hide(upTo: place) }
        case .deleted(let id, let places): try changeOwn(id) { try delete(places, in: $0, early: early) }
        case .requestAccepted(let id): try changeOwn(id) { $0.request = nil }
        case .requestDeclined(let id):
            try changeOwn(id) {
                $0.request = nil
                $0.hide(upTo: max($0.newest, $0.applied))
            }
        case .blocked(let person): try setBlocked(person, true)
        case .unblocked(let person): try setBlocked(person, false)
        case .peerDeleted(let id): try changeOwn(id) { $0.isPeerDeleted = true }
        case .peerReceived, .typing, .presence, .keysChanged, .unknown: break
        }
    }

    /// The receiver's word that a view-once picture is gone names no sender: whose it was its place tells, or it is early for both.
    private func destroy(_ id: ConversationID, _ place: Int64, _ clientMessageID: String, early: EarlyBook) throws {
        guard id.peer(of: me) != nil else { return }
        try change(id) { record in
            if let known = try reading.message(at: place, in: record), known.key.clientMessageID == clientMessageID {
                return try destroy(known.key, in: record, early: early)
            }
            for person in id.people {
                let key = MessageKey(sender: person, clientMessageID: clientMessageID)
                try destroy(key, in: record, early: early)
            }
        }
    }

    /// Changes a conversation of this person; one of others is passed over.
    private func changeOwn(_ id: ConversationID, _ body: (inout ConversationRecord) throws -> Void) throws {
        if id.peer(of: me) != nil { try change(id, body) }
    }

    func setBlocked(_ person: UserID, _ isBlocked: Bool) throws {
        guard let id = ConversationID(me, person) else { return }
        try change(id) { $0.isBlocked = isBlocked }
    }

    /// Brings the blocks to what the hub lists.
    func setBlocks(_ people: Set<UserID>) throws {
        for record in try reading.conversations() where record.isBlocked && !people.contains(record.peer) {
            try setBlocked(record.peer, false)
        }
        for person in people { try setBlocked(person, true) }
    }

    // MARK: Places and messages

    /// Where the person stands everywhere, as an answer to `/chat/sync` says.
    func apply(_ places: [ConversationID: SyncAnswer.Place]) throws {
        for (id, place) in places {
            if let known = try reading.conversation(id), known.newest >= place.newest, known.readTold >= place.read,
                known.lowest >= place.lowest
            {
                continue
            }
            try changeOwn(id) { record in
                record.note(newest: place.newest)
                record.readTold = max(record.readTold, place.read)
                record.readUpTo = max(record.readUpTo, place.read)
                if place.lowest > record.lowest { try clear(&record, before: place.lowest) }
            }
        }
    }

    /// Takes messages that were pushed, and those that waited for them.
    ///
    /// - Returns: Those before which something is missing. Source: invariant I4.
    func takePushed(_ arrivals: [Arrival], in id: ConversationID, early: EarlyBook) throws -> [Arrival] {
        guard id.peer(of: me) != nil else { return [] }
        return try change(id) { record in
            var waiting: [Arrival] = []
            for arrival in arrivals.sorted(by: { $0.data.sequence < $1.data.sequence }) {
                let place = arrival.data.sequence
                guard place > 0 else {
                    // A notification of existing servers, which has no place.
                    try take(arrival, in: &record, early: early, tells: true)
                    continue
                }
                record.note(newest: place)
                // The beginning of a conversation that is new to both people.
                if record.oldest == nil, place == record.lowest { record.oldest = place }
                guard record.oldest != nil, place <= record.applied + 1 || place == record.lowest else {
                    waiting.append(arrival)
                    continue
                }
                // A repeat of what lies before the loaded part comes with its page: alone it would leave a hole.
                guard place >= record.oldest ?? 1 else { continue }
                try take(arrival, in: &record, early: early, tells: true)
                try advance(&record, through: max(record.applied, place))
            }
            return waiting
        }
    }

    /// Takes what was asked for of a range.
    ///
    /// - Parameters:
    ///   - covered: The places that the answer says everything about; nil for none.
    ///   - tells: Whether followers are told of the messages.
    func take(
        _ arrivals: [Arrival],
        covering covered: ClosedRange<Int64>?,
        in id: ConversationID,
        early: EarlyBook,
        tells: Bool
    ) throws {
        guard id.peer(of: me) != nil else { return }
        try change(id) { record in
            let olderBefore = try olderCount(of: record)
            for arrival in arrivals { try take(arrival, in: &record, early: early, tells: tells) }
            guard let covered else { return }
            if let oldest = record.oldest {
                // Only what joins what is here: a hole would be taken for its end.
                if covered.lowerBound <= record.applied + 1, covered.upperBound > record.applied {
                    try advance(&record, through: covered.upperBound)
                }
                if covered.lowerBound < oldest, covered.upperBound >= oldest - 1 {
                    record.oldest = max(covered.lowerBound, 1)
                    let found = try olderCount(of: record) - olderBefore
                    record.olderUnread = max(0, record.olderUnread - found)
                }
            } else {
                record.oldest = covered.lowerBound
                try advance(&record, through: covered.upperBound)
                record.olderUnread = max(0, record.olderUnread - (try olderCount(of: record)))
            }
        }
    }

    private func olderCount(of record: ConversationRecord) throws -> Int {
        guard record.oldest != nil else { return 0 }
        return try reading.unread(in: record, after: max(record.readUpTo, (record.oldest ?? 1) - 1))
    }

    // MARK: The list

    /// Takes rows of the hub's list.
    ///
    /// - Parameter asked: The conversations that were asked for, with their newest places before. Those without a row are off the list, as far as
    ///   they went then.
    func take(_ elements: [ConversationElement], of asked: [ConversationID: Int64]) throws {
        for element in elements {
            try changeOwn(element.conversation) { record in
                record.receiveOption = element.receiveOption
                record.isPinned = element.isPinned
                guard let standing = element.standing else {
                    record.preview = max(record.preview, element.latest?.sequence ?? 0)
                    return
                }
                try take(standing, unread: element.unreadCount, in: &record)
            }
        }
        let listed = Set(elements.map(\.conversation))
        for (id, newest) in asked where newest > 0 && !listed.contains(id) {
            guard let record = try reading.conversation(id), record.preview > record.hiddenUpTo else { continue }
            try change(id) { $0.hide(upTo: newest) }
        }
    }

    private func take(_ standing: ConversationStanding, unread: Int, in record: inout ConversationRecord) throws {
        record.note(newest: standing.newest)
        if standing.lowest > record.lowest { try clear(&record, before: standing.lowest) }
        record.readTold = max(record.readTold, standing.read)
        record.readUpTo = max(record.readUpTo, standing.read)
        record.peerRead = max(record.peerRead, standing.peerRead)
        record.peerReceived = max(record.peerReceived, standing.peerReceived)
        record.request = standing.request
        record.isBlocked = standing.isBlocked
        record.isPeerDeleted = standing.isPeerDeleted
        if record.isDraftTold { record.draft = standing.draft }
        // It is on the list: something with a bubble is behind what was hidden.
        if standing.newest > 0 { record.preview = max(record.preview, standing.newest) }
        if record.preview <= record.hiddenUpTo, standing.draft == nil { record.hiddenUpTo = record.preview - 1 }
        let here =
            record.oldest == nil
            ? 0 : try reading.unread(in: record, after: standing.read, upTo: standing.newest)
        record.olderUnread = record.readUpTo > standing.read ? record.olderUnread : max(0, unread - here)
    }

    /// Lets go of what is known to be whole: changes were missed, so all is asked for again. The rows stay, and are merged with what comes.
    func forgetPlaces() throws {
        for record in try reading.conversations() where record.oldest != nil {
            try change(record.id) {
                $0.oldest = nil
                $0.applied = $0.lowest - 1
            }
        }
    }
}

extension ConversationRecord {
    /// Settings of another device of the person.
    mutating func take(_ settings: ConversationSettings) {
        if let option = settings.receiveOption { receiveOption = option }
        if let isPinned = settings.isPinned { self.isPinned = isPinned }
        // What is written here and not told yet is newer.
        if let draft = settings.draft, isDraftTold { self.draft = Draft.kept(draft) }
    }

    /// Takes it off the list until something new is written, as the hub does it: read, unpinned, without its draft.
    mutating func hide(upTo place: Int64) {
        hiddenUpTo = max(hiddenUpTo, place)
        readUpTo = max(readUpTo, place)
        readTold = max(readTold, place)
        isPinned = false
        draft = nil
        isDraftTold = true
    }
}
