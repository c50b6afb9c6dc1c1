public import Accounts
public import Foundation
public import Kernel
public import Observation

/// A conversation as a screen shows it. Documented name. Source: rules C1 to C9, B8 to B24.
@MainActor @Observable
public final class ConversationViewModel {
    /// Where messages come from and where they go.
    public struct Dependencies: Sendable {
        /// What comes for this conversation from the moment of the call on.
        public var incoming: @Sendable () -> AsyncStream<IncomingItem>
        /// What becomes of own messages of this conversation, from the moment of the call on.
        public var outgoing: @Sendable () -> AsyncStream<OutgoingNews>
        public var history: @Sendable (HistoryRequest) async throws -> HistoryPage
        /// The newest place of the conversation.
        public var newest: @Sendable () async throws -> Int64
        /// Everything that there is at some places.
        public var pull: @Sendable (ClosedRange<Int64>) async throws -> [IncomingItem]
        /// Takes a message into the queue, at once and in the order of the calls.
        public var enqueue: @Sendable (OutgoingMessage) throws -> Void
        /// Takes a failed message, which the journal has, into the queue again.
        public var resend: @Sendable (_ id: String) throws -> Void
        /// Takes a message that waits or failed out of the queue and the journal; false for one that is being sent or was sent.
        public var cancel: @Sendable (_ id: String) -> Bool
        public var revoke: @Sendable (RevokeMessage) async throws -> Void
        public var markRead: @Sendable (_ through: Int64) async throws -> Void
        /// Clears for this person; answers with the last place that is cleared.
        public var clear: @Sendable () async throws -> Int64
        /// Notes that the quote of the signal was sent.
        public var setOpened: @Sendable () async -> Void
        public var openIM: @Sendable (OpenIMReceive) async throws -> Void
        public var resolveMedia: @Sendable ([ChatMessage]) async -> MediaResolution

        public init(
            incoming: @escaping @Sendable () -> AsyncStream<IncomingItem>,
            outgoing: @escaping @Sendable () -> AsyncStream<OutgoingNews>,
            history: @escaping @Sendable (HistoryRequest) async throws -> HistoryPage,
            newest: @escaping @Sendable () async throws -> Int64,
            pull: @escaping @Sendable (ClosedRange<Int64>) async throws -> [IncomingItem],
            enqueue: @escaping @Sendable (OutgoingMessage) throws -> Void,
            resend: @escaping @Sendable (_ id: String) throws -> Void,
            cancel: @escaping @Sendable (_ id: String) -> Bool,
            revoke: @escaping @Sendable (RevokeMessage) async throws -> Void,
            markRead: @escaping @Sendable (_ through: Int64) async throws -> Void,
            clear: @escaping @Sendable () async throws -> Int64,
            setOpened: @escaping @Sendable () async -> Void,
            openIM: @escaping @Sendable (OpenIMReceive) async throws -> Void,
            resolveMedia: @escaping @Sendable ([ChatMessage]) async -> MediaResolution
        ) {
            self.incoming = incoming
            self.outgoing = outgoing
            self.history = history
            self.newest = newest
            self.pull = pull
            self.enqueue = enqueue
            self.resend = resend
            self.cancel = cancel
            self.revoke = revoke
            self.markRead = markRead
            self.clear = clear
            self.setOpened = setOpened
            self.openIM = openIM
            self.resolveMedia = resolveMedia
        }
    }

    public private(set) var conversation: Conversation
    public private(set) var timeline: MessageTimeline
    /// What is written and not sent.
    public var text: String
    /// Why the last act was taken back, or nothing came; nil once it was dismissed.
    public private(set) var notice: String?
    public private(set) var isPeerTyping = false
    private let dependencies: Dependencies
    private let time: any TimeSource
    private var isRepairing = false
    /// The place that the server knows to be read.
    private var readThrough: Int64 = 0

    /// Nil where `me` is not in the conversation.
    public init?(
        _ conversation: Conversation,
        me: UserID,
        _ dependencies: Dependencies,
        time: any TimeSource = .system
    ) {
        guard let timeline = MessageTimeline(conversation.id, me: me) else { return nil }
        self.conversation = conversation
        self.timeline = timeline
        self.dependencies = dependencies
        self.time = time
        text = conversation.draft ?? ""
    }

    /// What is written, to be kept when the screen goes; nil for nothing. Source: rule B21.
    public var draft: String? { Draft.kept(text) }

    // MARK: Following

    /// Loads the newest page, or what came while the screen was away, quotes the signal where one is to be quoted, and follows what comes until its task is cancelled or both streams end: the
    /// screen's `.task`. It listens before it loads, so that nothing is lost in between. Source: rules C2, B9.
    public func appear() async {
        let incoming = dependencies.incoming()
        let outgoing = dependencies.outgoing()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.follow(outgoing) }
            group.addTask { await self.follow(incoming) }
            group.addTask {
                await self.load()
                await self.quoteSignal()
            }
        }
    }

    private func load() async {
        guard timeline.appliedThrough != nil else { return await loadMore() }
        do {
            await reconnected(newest: try await dependencies.newest())
        } catch {
            if !(error is CancellationError) { notice = "\(error)" }
        }
    }

    private func follow(_ incoming: AsyncStream<IncomingItem>) async {
        await withDiscardingTaskGroup { group in
            for await item in incoming {
                if case .typing(let isTyping) = item {
                    isPeerTyping = isTyping
                    continue
                }
                let reception = timeline.receive(item)
                if case .message(let message) = item {
                    if !message.isMe { isPeerTyping = false }
                    // The row is there; its address may come later. Source: rule B8.
                    group.addTask { await self.resolve([message]) }
                }
                if reception == .waiting { group.addTask { await self.repair(after: MessageTimeline.patience) } }
                if reception == .applied { group.addTask { await self.markRead() } }
            }
        }
    }

    /// Pulls what is missing, once it had time to come by itself. One that fails is tried again with the next thing that comes. Source: invariant I4.
    private func repair(after patience: Duration) async {
        guard !isRepairing else { return }
        isRepairing = true
        defer { isRepairing = false }
        guard await time.pause(for: patience) else { return }
        while let missing = timeline.missing {
            guard let items = try? await dependencies.pull(missing) else { return }
            timeline.repair(items, covering: missing)
            await resolve(Self.messages(items))
        }
        await markRead()
    }

    /// The server says how far the conversation is, after every connection.
    public func reconnected(newest: Int64) async {
        timeline.noteNewest(newest)
        if timeline.missing != nil { await repair(after: .zero) }
    }

    private func follow(_ outgoing: AsyncStream<OutgoingNews>) async {
        for await news in outgoing {
            switch news {
            case .progress(let id, let part): timeline.progress(id, part)
            case .step(let event): await take(event)
            }
        }
    }

    private func take(_ event: SendEvent) async {
        switch event {
        case .sending, .retrying: break
        case .uploaded(let message):
            if case .media(let media) = message.content, let payload = try? media.payload() {
                timeline.uploaded(message.id, payload)
            }
        case .sent(let answer):
            timeline.acknowledge(answer)
            await quoteEnded(answer.clientMessageID, nil)
            await markRead()
        case .failed(let id, let reason, let error):
            // A row that its echo has upgraded meanwhile stays sent.
            try? timeline.fail(id, reason: reason)
            await quoteEnded(id, error ?? .unreachable)
        }
    }

    private static func messages(_ items: [IncomingItem]) -> [ChatMessage] {
        items.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    private func resolve(_ messages: [ChatMessage]) async {
        let withMedia = messages.filter { !$0.cacheableKeys.isEmpty }
        guard !withMedia.isEmpty else { return }
        let resolution = await dependencies.resolveMedia(withMedia)
        timeline.replaceURLs(resolution.urls)
        timeline.markUnavailable(resolution.unavailable)
    }

    /// Loads the newest page, then older ones. A second call while one is on its way does nothing. Source: rule B10.
    public func loadMore() async {
        guard let request = timeline.beginLoading() else { return }
        do {
            let page = try await dependencies.history(request)
            timeline.finishLoading(request, page)
            await markRead()
            await resolve(Self.messages(page.items))
        } catch {
            timeline.failLoading(request)
            if !(error is CancellationError) { notice = "\(error)" }
        }
    }

    /// Says how far the person has read, where that is further than before and the newest row is on the screen. What fails is said with the next
    /// message. Source: rules L8, B21.
    private func markRead() async {
        guard timeline.isAtNewestEnd, let place = timeline.readableThrough, place > readThrough else { return }
        let before = readThrough
        readThrough = place
        do {
            try await dependencies.markRead(place)
        } catch {
            if readThrough == place { readThrough = before }
        }
    }

    // MARK: Sending

    /// Sends what is written. Blank text stays in the field, and nothing happens. Source: rule Q6.
    public func sendText() {
        guard let words = Draft.sendable(text) else { return }
        text = ""
        send(.payload(.text(words)), shown: .text(words))
    }

    /// Sends files. Until they are uploaded the row shows the files themselves.
    ///
    /// - Parameter files: Their addresses on this device, in the order of the media's files.
    public func send(_ media: OutgoingMedia, files: [URL]) {
        let shown: MessagePayload =
            switch media.kind {
            case .image: .image(ImagePayload(objectKey: ""))
            case .flash: .flashImage(FlashImagePayload(objectKey: ""))
            case .images: .multiImage(MultiImagePayload(objectKeys: []))
            case .voice(let seconds, let waveform):
                .voice(VoicePayload(objectKey: "", durationSeconds: seconds, waveform: waveform))
            }
        send(.media(media), shown: shown) { message in
            switch media.kind {
            case .image, .voice: message.imageURL = files.first?.absoluteString
            case .images: message.multiImageURLs = files.map(\.absoluteString)
            case .flash: break
            }
        }
    }

    private func send(
        _ content: OutgoingContent,
        shown payload: MessagePayload,
        id: String = UUID.randomText(),
        _ finish: (inout ChatMessage) -> Void = { _ in }
    ) {
        let now = time.date.millisecondsSince1970
        var message = ChatMessage(
            id: id,
            from: timeline.me,
            to: conversation.peer,
            as: timeline.me,
            createTime: now,
            status: .sending,
            payload
        )
        finish(&message)
        timeline.add(message)
        timeline.reachedNewestEnd()
        let outgoing = OutgoingMessage(
            id: id,
            in: conversation.id,
            content,
            receiveID: conversation.receiveID,
            createTime: now
        )
        do {
            try dependencies.enqueue(outgoing)
        } catch {
            // The row was added a moment ago, so it is there.
            try? timeline.fail(id, reason: "\(error)")
        }
    }

    /// Sends a failed message again, under its id. Source: rule B24.
    public func resend(_ id: String) {
        do {
            try timeline.resend(id)
        } catch {
            notice = "\(error)"
            return
        }
        do {
            try dependencies.resend(id)
        } catch {
            try? timeline.fail(id, reason: "\(error)")
        }
    }

    /// Quotes the signal through which the conversation began: in the queue, before anything that is typed, and once. Source: rules C7, B20.
    private func quoteSignal() async {
        guard let quote = SignalQuote(conversation) else { return }
        if let row = timeline.own(quote.messageID) {
            // Another device of the person, or an earlier run, has sent it.
            if row.status == .success { await quoteEnded(row.id, nil) }
            return
        }
        send(.payload(quote.payload), shown: quote.payload, id: quote.messageID)
    }

    private func quoteEnded(_ id: String, _ error: ChatError?) async {
        guard let quote = SignalQuote(conversation), quote.messageID == id, SignalQuote.isOpened(after: error) else {
            return
        }
        conversation.isIMOpened = true
        await dependencies.setOpened()
        guard let openIM = quote.openIM else { return }
        do {
            try await dependencies.openIM(openIM)
        } catch {
            notice = "\(error)"
        }
    }

    // MARK: Acts

    /// Recalls an own message, at once on this screen, and back when the server refuses. Source: rules C5, B18, B19.
    public func recall(_ id: String) async {
        do {
            switch try timeline.beginRecall(id) {
            case .ask(let request):
                do {
                    try await dependencies.revoke(request)
                    timeline.confirmRecall(id)
                } catch ChatError.refused(.alreadyRevoked, _) {
                    timeline.confirmRecall(id)
                } catch {
                    timeline.rollBackRecall(id)
                    throw error
                }
            case .cancelSending(let id):
                guard dependencies.cancel(id), timeline.discard(id) else { throw ChatError.notRecallable }
            }
        } catch {
            notice = "\(error)"
        }
    }

    /// Clears the conversation for this person. Source: rule C9.
    public func clear() async {
        do {
            timeline.clear(through: try await dependencies.clear())
        } catch {
            notice = "\(error)"
        }
    }

    /// The newest row came on the screen, by scrolling or by a tap on the banner. Source: rule C4.
    public func reachedNewestEnd() async {
        timeline.reachedNewestEnd()
        await markRead()
    }

    public func leftNewestEnd() { timeline.leftNewestEnd() }

    public func dismissNotice() { notice = nil }
}

/// What becomes of own messages.
public enum OutgoingNews: Hashable, Sendable {
    case step(SendEvent)
    /// - Parameter part: 0 to 1 of the upload.
    case progress(id: String, part: Double)
}
