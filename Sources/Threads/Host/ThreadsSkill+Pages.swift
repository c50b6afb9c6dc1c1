import AgentHistory
import Commands
import Conversations
import Kernel
import Threads

/// Parts of conversations, small enough for an answer.
extension ThreadsSkill {
    /// UTF-8 bytes of a text where even one item with its whole texts is too large.
    private static let shortText = 2 << 10

    func page(_ query: ThreadPageQuery) async throws -> ThreadPage {
        try await page(query.part, of: try await thread(query.thread), limit: query.limit)
    }

    func page(_ part: ThreadPageQuery.Part, of thread: AgentThread, limit: Int) async throws -> ThreadPage {
        var limit = limit
        while true {
            let page = ThreadPage(
                try await read(part, of: thread, limit: limit),
                thread: await summary(of: thread)
            )
            let size = page.itemBytes
            if size <= ThreadLimits.pageBytes { return page }
            if limit == 1 { return page.withTexts(of: Self.shortText) }
            // Tries as many items as would have fitted, and fewer each time.
            limit = max(1, min(limit - 1, limit * ThreadLimits.pageBytes / size * 4 / 5))
        }
    }

    /// A file that does not go on from a cursor is read anew from its end.
    private func read(
        _ part: ThreadPageQuery.Part,
        of thread: AgentThread,
        limit: Int
    ) async throws -> ConversationPage {
        let limits = PageLimits(items: limit)
        do {
            switch part {
            case .last: return try await library.lastPage(of: thread, before: nil, limits: limits)
            case .before(let cursor):
                return try await library.lastPage(of: thread, before: cursor, limits: limits)
            case .after(let cursor):
                let page = try await library.page(of: thread, from: cursor, limits: limits)
                if !page.replacesEarlier { return page }
            }
        } catch AgentHistoryError.truncated, AgentHistoryError.rewritten {
            // Another file stands in its place.
        }
        var page = try await library.lastPage(of: thread, before: nil, limits: limits)
        page.replacesEarlier = true
        return page
    }

    func item(_ query: ThreadItemQuery) async throws -> ThreadItem {
        let thread = try await thread(query.thread)
        // A message's parts are items of one page, as they were where the cursor came from.
        let page: ConversationPage
        do {
            page = try await library.page(of: thread, from: query.cursor, limits: PageLimits(items: 64))
        } catch AgentHistoryError.truncated, AgentHistoryError.rewritten {
            throw ThreadsError.noSuchItem
        }
        guard let item = page.items.first(where: { $0.id == query.item }) else { throw ThreadsError.noSuchItem }
        guard query.wantsImage else { return ThreadItem(item) }
        guard case .image = item.content,
            let image = try await library.image(of: thread, at: item, limit: ThreadLimits.image)
        else { throw ThreadsError.noImage }
        return ThreadItem(item, data: image)
    }

    func subscribe(_ subscription: ThreadSubscription, _ caller: Caller) async throws -> ThreadPage {
        guard let choice = subscription.thread else {
            try await followers.followList(caller.id)
            return ThreadPage(thread: nil)
        }
        let thread = try await thread(choice)
        // First, so that what is written meanwhile is told.
        try await followers.follow(thread.reference, caller.id)
        let page = try await page(subscription.after.map { .after($0) } ?? .last, of: thread, limit: 60)
        if let newer = page.newer, page.isEnd {
            await followers.begin(thread.reference, at: newer) { await self.readOn(thread.reference) }
        } else {
            // The asker reads the rest itself; the tail begins where the file ends now.
            let end = try await library.lastPage(of: thread, before: nil, limits: PageLimits(items: 1)).newer
            await followers.begin(thread.reference, at: end) { await self.readOn(thread.reference) }
        }
        return page
    }

    func unsubscribe(_ subscription: ThreadSubscription, _ caller: Caller) async throws -> Done {
        guard let choice = subscription.thread else {
            await followers.unfollowList(caller.id)
            return Done()
        }
        await followers.unfollow(try await reference(choice), caller.id)
        return Done()
    }

    /// Tells everything that stands behind a thread's tail. Called for one thread never twice at the same time.
    private func readOn(_ reference: ThreadReference) async {
        while let cursor = await followers.tail(of: reference), !Task.isCancelled {
            // Items that cannot be read now are told after the next growth, or when the subscription is asked for again: cursors show what
            // is missing.
            guard let thread = try? await library.thread(reference.id, agent: reference.agent),
                let page = try? await page(.after(cursor), of: thread, limit: 60), let newer = page.newer
            else { return }
            guard page.replaces || newer != cursor else { return }
            // Also without items, for records that are not shown: followers go on from behind them.
            var members = page.itemMembers.merging(reference.members) { $1 }
            members["after"] = .string(cursor.text)
            await followers.tell(.threadItems, members, of: reference)
            await followers.move(reference, from: cursor, to: newer)
            if page.isEnd { return }
        }
    }
}

extension ThreadPage {
    fileprivate init(_ page: ConversationPage, thread: ThreadSummary) {
        self.init(
            thread: thread,
            items: page.items,
            cursors: page.items.map { ConversationCursor(offset: $0.position) },
            older: page.older,
            newer: page.newer,
            isEnd: page.reachesEnd,
            replaces: page.replacesEarlier,
            skipped: page.skipped.count,
            skippedBytes: page.skipped.bytes,
            damage: page.damage
        )
    }

    /// The size of the items as JSON, in bytes.
    fileprivate var itemBytes: Int {
        zip(items, cursors).reduce(0) { $0 + $1.0.wire(at: $1.1).canonicalBytes.count }
    }

    fileprivate func withTexts(of limit: Int) -> ThreadPage {
        var page = self
        page.textLimit = limit
        return page
    }
}
