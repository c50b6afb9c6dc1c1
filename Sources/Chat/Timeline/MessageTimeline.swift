public import Accounts

/// The messages of one conversation as a value: changed by named events, each message once, in the order of the server.
///
/// Pushes may come late, twice, in any order or never; what is missing is asked for (``missing``). Whatever comes in whatever order leads to the same
/// rows. Source: invariants I4 to I6, rules C1 to C6, B5 to B18.
public struct MessageTimeline: Sendable {
    /// Pushes that wait for what is before them. Beyond it they are let go, and pulled later.
    package static let bufferLimit = 1000
    /// Recalls and burned photos whose messages are not loaded. Beyond it they are let go: history brings them folded into the rows.
    package static let earlyLimit = 4096

    /// What became of something that was pushed.
    public enum Reception: Hashable, Sendable {
        case applied
        /// It was there already, or lies before what is loaded.
        case known
        /// Something before it is missing. Wait up to ``MessageTimeline/patience`` for it, then pull ``MessageTimeline/missing``.
        case waiting
    }

    /// How long something pushed waits for what is before it before that is pulled. Source: invariant I4.
    public static let patience = Duration.milliseconds(300)

    public let conversation: ConversationID
    public let me: UserID

    var messages: [MessageKey: ChatMessage] = [:]
    var keys: [Int64: MessageKey] = [:]
    /// The places of the rows, ascending.
    private var order: [Int64] = []
    /// Rows without a place, in the order of their making.
    private var unplaced: [MessageKey] = []
    private var buffered: [Int64: IncomingItem] = [:]
    private var hidden: Set<Int64> = []
    private var early = EarlyStates(limit: earlyLimit)
    /// Recalls that are shown before the server confirmed them.
    var optimisticRecalls: Set<MessageKey> = []
    private var firstVisible: Int64 = 1
    private var highestSeen: Int64 = 0

    /// Everything up to this place was seen; nil before the first page came.
    public private(set) var appliedThrough: Int64?
    public private(set) var paging = HistoryPaging()
    /// Messages that came while the person looked at older ones. Source: rules C4, B21.
    public private(set) var newMessageCount = 0
    /// Whether the newest row is on the screen.
    public private(set) var isAtNewestEnd = true
    /// The peer has read everything up to this place.
    public private(set) var peerReadThrough: Int64 = 0

    /// Nil where `me` is not in the conversation.
    public init?(_ conversation: ConversationID, me: UserID) {
        guard conversation.peer(of: me) != nil else { return nil }
        self.conversation = conversation
        self.me = me
    }

    // MARK: Rows

    /// The rows, oldest first: those with a place in its order, then own ones that wait, in theirs. Source: invariant I6, rules B7, R6.
    public var rows: [ChatMessage] {
        var rows: [ChatMessage] = []
        rows.reserveCapacity(order.count + unplaced.count)
        for place in order {
            if let key = keys[place], let message = shown(key) { rows.append(message) }
        }
        for key in unplaced {
            if let message = shown(key) { rows.append(message) }
        }
        return rows
    }

    /// The rows with their time markers, oldest first.
    public var entries: [TimelineEntry] { TimelineEntry.entries(of: rows) }

    /// The row as the screen shows it; nil where there is none.
    public func shown(_ key: MessageKey) -> ChatMessage? {
        guard var message = messages[key] else { return nil }
        if optimisticRecalls.contains(key) { message.isRecalled = true }
        if message.isMe, let place = message.sequence, place <= peerReadThrough { message.isRead = true }
        return message
    }

    /// An own row by its id.
    public func own(_ id: String) -> ChatMessage? { shown(MessageKey(sender: me, clientMessageID: id)) }

    /// The places to pull next, at most ``ChatLimits/pull`` of them; nil where nothing is missing.
    public var missing: ClosedRange<Int64>? {
        guard let appliedThrough, highestSeen > appliedThrough else { return nil }
        let last = buffered.keys.min().map { $0 - 1 } ?? highestSeen
        return (appliedThrough + 1)...min(last, appliedThrough + Int64(ChatLimits.pull))
    }

    /// The newest place that can be said to be read; nil for an empty conversation.
    public var readableThrough: Int64? { appliedThrough.flatMap { $0 > 0 ? $0 : nil } }

    // MARK: From the server

    /// Takes something that was pushed. Before the first page it waits for that. Source: rules I4, B8, B9.
    @discardableResult
    public mutating func receive(_ item: IncomingItem) -> Reception {
        guard let place = item.sequence else {
            let isKnown = isKnown(item)
            apply(item, isLive: true)
            return isKnown ? .known : .applied
        }
        guard place >= firstVisible, place <= ChatLimits.place else { return .known }
        highestSeen = max(highestSeen, place)
        guard let last = appliedThrough else {
            buffer(item, at: place)
            return .waiting
        }
        if place <= last {
            // A repeat may know more than the row. A row from before the loaded part comes with its page: alone it would leave a hole.
            var isWanted = true
            if case .message = item { isWanted = isKnown(item) || place >= paging.cursor ?? .max }
            if isWanted { apply(item, isLive: false) }
            return .known
        }
        guard place == last + 1 else {
            buffer(item, at: place)
            return .waiting
        }
        apply(item, isLive: true)
        appliedThrough = place
        advance()
        return .applied
    }

    /// Takes the answer to a pull of ``missing``.
    ///
    /// - Parameter range: The places that the answer says everything about: those without an item show nothing.
    public mutating func repair(_ items: [IncomingItem], covering range: ClosedRange<Int64>) {
        for item in items { apply(item, isLive: item.sequence ?? 0 > appliedThrough ?? .max) }
        let end = min(range.upperBound, ChatLimits.place)
        guard let last = appliedThrough, range.lowerBound <= last + 1 else { return }
        appliedThrough = max(last, end)
        highestSeen = max(highestSeen, end)
        advance()
    }

    /// The server says how far the conversation goes, on every connection: from it follows what is missing. Source: invariant I4.
    public mutating func noteNewest(_ place: Int64) {
        highestSeen = max(highestSeen, min(place, ChatLimits.place))
    }

    /// Begins to load the newest page, then older ones. Nil while one is on its way, and at the beginning of the conversation. Source: rules C1, B10.
    public mutating func beginLoading() -> HistoryRequest? { paging.begin(conversation) }

    /// Takes a page. What was pushed meanwhile is merged with it; nothing is wiped. Source: rule B9.
    public mutating func finishLoading(_ request: HistoryRequest, _ page: HistoryPage) {
        guard paging.finish(request, lowest: page.lowest, isEnd: page.isEnd, first: firstVisible) else { return }
        for item in page.items { apply(item, isLive: false) }
        guard appliedThrough == nil else { return }
        appliedThrough = max(min(page.newest ?? 0, ChatLimits.place), firstVisible - 1)
        highestSeen = max(highestSeen, appliedThrough ?? 0)
        advance()
    }

    /// The page did not come; it can be asked for again.
    public mutating func failLoading(_ request: HistoryRequest) { paging.fail(request) }

    /// Hides everything up to a place, for this person. Own rows that wait stay. Source: rule C9, invariant I9.
    public mutating func clear(through last: Int64) {
        guard last >= firstVisible, last < ChatLimits.place else { return }
        firstVisible = last + 1
        for place in order.prefix(while: { $0 <= last }) { forget(place) }
        order.removeAll { $0 <= last }
        buffered = buffered.filter { $0.key > last }
        hidden = hidden.filter { $0 > last }
        highestSeen = max(highestSeen, last)
        if let appliedThrough { self.appliedThrough = max(appliedThrough, last) }
        paging.clear()
        newMessageCount = 0
        advance()
    }

    /// Hides single messages, for this person.
    public mutating func remove(_ places: [Int64]) {
        hidden.formUnion(places.filter { $0 >= firstVisible })
        for place in places { forget(place) }
        order.removeAll { hidden.contains($0) }
    }

    private mutating func forget(_ place: Int64) {
        guard let key = keys.removeValue(forKey: place) else { return }
        messages[key] = nil
        optimisticRecalls.remove(key)
    }

    // MARK: The screen

    /// The newest row came on the screen, by scrolling or by a tap on the banner. Source: rule C4.
    public mutating func reachedNewestEnd() {
        isAtNewestEnd = true
        newMessageCount = 0
    }

    public mutating func leftNewestEnd() { isAtNewestEnd = false }

    /// The words of the banner; nil for none.
    public var bannerText: String? { newMessageCount > 0 ? "\(newMessageCount) 条新消息 ↓" : nil }

    /// Puts new addresses into all rows that have the objects. Source: rules B8, R2.
    public mutating func replaceURLs(_ urls: [String: SignedURL]) {
        for (key, message) in messages where message.cacheableKeys.contains(where: { urls[$0] != nil }) {
            messages[key]?.replaceURLs(urls)
        }
    }

    /// Notes objects that cannot be had: their addresses are over, and none came anew. Source: rule C8.
    public mutating func markUnavailable(_ objectKeys: Set<String>) {
        for (key, message) in messages {
            let gone = objectKeys.intersection(message.cacheableKeys)
            if !gone.isEmpty { messages[key]?.unavailableKeys.formUnion(gone) }
        }
    }

    // MARK: Inside

    private func isKnown(_ item: IncomingItem) -> Bool {
        if case .message(let message) = item { messages[message.key] != nil } else { false }
    }

    private mutating func buffer(_ item: IncomingItem, at place: Int64) {
        if buffered.count >= Self.bufferLimit, buffered[place] == nil {
            guard let highest = buffered.keys.max(), highest > place else { return }
            buffered[highest] = nil
        }
        buffered[place] = item
    }

    /// Applies what waited and has nothing missing before it any more.
    private mutating func advance() {
        guard var last = appliedThrough else { return }
        for place in buffered.keys.filter({ $0 <= last }).sorted() {
            if let item = buffered.removeValue(forKey: place) { apply(item, isLive: true) }
        }
        while true {
            if let item = buffered.removeValue(forKey: last + 1) {
                apply(item, isLive: true)
            } else if keys[last + 1] == nil {
                break
            }
            last += 1
        }
        appliedThrough = last
    }

    /// - Parameter isLive: It is newer than everything that was seen.
    private mutating func apply(_ item: IncomingItem, isLive: Bool) {
        switch item {
        case .message(let message): upsert(message, isLive: isLive)
        case .recalled(let recall): applyRecall(recall)
        case .flashViewed(let target, _): burn(target)
        case .read(let receipt):
            guard receipt.conversation == conversation, receipt.reader != me else { return }
            peerReadThrough = max(peerReadThrough, receipt.readSequence)
        case .typing, .nothing: break
        }
    }

    private mutating func upsert(_ incoming: ChatMessage, isLive: Bool) {
        guard ConversationID(incoming.sender, incoming.receiver) == conversation, incoming.type != .time,
            incoming.sequence ?? 1 <= ChatLimits.place
        else { return }
        let key = incoming.key
        if let place = incoming.sequence, place < firstVisible || hidden.contains(place) {
            // An own row whose place became known only now, in what was cleared.
            if messages[key]?.sequence == nil { dropUnplaced(key) }
            return
        }
        if var message = messages[key] {
            let before = message.sequence
            message.fold(incoming)
            // Another row has the place: the server never says so, and the first one keeps it.
            if let place = message.sequence, place != before, let other = keys[place], other != key {
                message.sequence = before
            }
            messages[key] = message
            move(key, from: before, to: message.sequence)
            return
        }
        if let place = incoming.sequence, keys[place] != nil { return }
        var message = incoming
        early.apply(to: &message)
        messages[key] = message
        if let place = message.sequence { insert(key, at: place) } else { unplaced.append(key) }
        let counts = isLive && !isAtNewestEnd && !message.isMe && message.type.isBubble && !message.isRecalled
        if counts { newMessageCount += 1 }
    }

    private mutating func move(_ key: MessageKey, from before: Int64?, to place: Int64?) {
        guard before != place, let place else { return }
        if let before {
            keys[before] = nil
            order.removeAll { $0 == before }
        } else {
            unplaced.removeAll { $0 == key }
        }
        insert(key, at: place)
    }

    private mutating func insert(_ key: MessageKey, at place: Int64) {
        keys[place] = key
        guard let last = order.last, last > place else { return order.append(place) }
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if order[middle] < place { low = middle + 1 } else { high = middle }
        }
        order.insert(place, at: low)
    }

    private mutating func applyRecall(_ recall: IncomingItem.Recall) {
        if let key = recall.target ?? recall.sequence.flatMap({ keys[$0] }), messages[key] != nil {
            messages[key]?.recall()
            optimisticRecalls.remove(key)
        } else {
            early.noteRecall(recall)
        }
    }

    private mutating func burn(_ key: MessageKey) {
        if messages[key] != nil { messages[key]?.destroy() } else { early.noteBurned(key) }
    }

    private mutating func dropUnplaced(_ key: MessageKey) {
        guard let index = unplaced.firstIndex(of: key) else { return }
        unplaced.remove(at: index)
        messages[key] = nil
        optimisticRecalls.remove(key)
    }

    // MARK: Own rows

    /// Shows an own row before it is sent, at the newest end. One that is there already stays as it is. Source: rule Q4.
    public mutating func add(_ message: ChatMessage) {
        guard message.isMe, message.sequence == nil, messages[message.key] == nil else { return }
        upsert(message, isLive: false)
    }

    /// The server has the message: the row moves to its place. Source: invariant I6, rule B25.
    ///
    /// An answer without a row is passed over: the person took the row away meanwhile.
    public mutating func acknowledge(_ answer: SendMessageAnswer) {
        let key = MessageKey(sender: me, clientMessageID: answer.clientMessageID)
        guard var message = messages[key] else { return }
        message.serverID = answer.serverMessageID.isEmpty ? message.serverID : answer.serverMessageID
        message.sendTime = answer.sendTime > 0 ? answer.sendTime : message.sendTime
        let place = answer.sequence.flatMap(WireMembers.place)
        message.sequence = message.sequence ?? place
        // Already sent by its echo, which was faster.
        try? message.move(to: .success)
        upsert(message, isLive: false)
        if let place {
            highestSeen = max(highestSeen, place)
            advance()
        }
    }

    /// - Throws: ``ChatError/unknownMessage``; ``ChatError/illegalStatus(from:to:)``, with which nothing changes.
    public mutating func fail(_ id: String, reason: String) throws(ChatError) {
        try changeOwn(id) { message throws(ChatError) in try message.move(to: .failed, reason: reason) }
    }

    /// Sends a failed row again, under the same id and in the same place. Source: rule B24.
    ///
    /// - Throws: ``ChatError/unknownMessage``; ``ChatError/illegalStatus(from:to:)``, with which nothing changes.
    public mutating func resend(_ id: String) throws(ChatError) {
        try changeOwn(id) { message throws(ChatError) in try message.move(to: .sending) }
    }

    /// - Parameter part: 0 to 1; other values are brought in there.
    public mutating func progress(_ id: String, _ part: Double) {
        try? changeOwn(id) { message throws(ChatError) in
            guard message.status == .sending, part.isFinite else { return }
            message.uploadProgress = min(max(part, 0), 1)
        }
    }

    /// The objects of an own row are uploaded: it learns their keys.
    public mutating func uploaded(_ id: String, _ payload: MessagePayload) {
        try? changeOwn(id) { message throws(ChatError) in
            let receiver = message.receiver
            let copy = ChatMessage(
                id: id,
                from: message.sender,
                to: receiver,
                as: message.sender,
                createTime: message.createTime,
                status: .sending,
                payload
            )
            message.fold(copy)
        }
    }

    /// Takes an own row away that was never sent. False for one that is sent, or unknown.
    public mutating func discard(_ id: String) -> Bool {
        let key = MessageKey(sender: me, clientMessageID: id)
        guard let message = messages[key], message.status != .success, message.sequence == nil else { return false }
        dropUnplaced(key)
        return true
    }

    private mutating func changeOwn(_ id: String, _ body: (inout ChatMessage) throws(ChatError) -> Void)
        throws(ChatError)
    {
        let key = MessageKey(sender: me, clientMessageID: id)
        guard var message = messages[key] else { throw .unknownMessage }
        try body(&message)
        messages[key] = message
    }
}
