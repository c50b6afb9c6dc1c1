import Accounts
import AccountsHub
import Chat

extension ChatRequests {
    // MARK: The list

    var conversations: [ServedRequest] {
        [
            ServedRequest(IMEndpoints.sortedConversations) { [self] request, asker in
                try asker.check(is: request.user)
                return try await sorted(request, for: asker)
            },
            ServedRequest(IMEndpoints.allConversations) { [self] request, asker in
                try asker.check(is: request.user)
                let all = try await summaries(for: asker)
                return AllConversations(
                    of: asker.person,
                    Dictionary(
                        uniqueKeysWithValues: all.map { ($0.conversation, ConversationSettings(summary: $0)) }
                    )
                )
            },
            ServedRequest(IMEndpoints.pinnedConversations) { [self] request, asker in
                try asker.check(is: request.user)
                let pinned = try await summaries(for: asker).filter(\.settings.isPinned)
                return ConversationIDs(pinned.map(\.conversation))
            },
            ServedRequest(IMEndpoints.setConversations) { [service] request, asker in
                try asker.check(is: request.user)
                let change = SettingsChange(
                    isPinned: request.settings.isPinned,
                    receiveOption: request.settings.receiveOption,
                    draft: request.settings.draft
                )
                _ = try await service.change(change, of: request.conversation, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(IMEndpoints.deleteConversations) { [service] request, asker in
                try asker.check(is: request.user)
                for id in request.conversations { try await service.hide(id, by: asker.chat) }
                return NoMembers()
            },
            ServedRequest(ChatEndpoints.answerRequest) { [service] request, asker in
                if request.accepts {
                    try await service.acceptRequest(request.conversation, by: asker.chat)
                } else {
                    try await service.declineRequest(request.conversation, by: asker.chat)
                }
                return NoMembers()
            },
        ]
    }

    private func sorted(_ request: SortedConversationsRequest, for asker: Asker) async throws -> SortedConversations {
        let named = Set(request.conversations)
        let list: ConversationList
        var shown: [ConversationSummary]
        if named.isEmpty {
            list = try await service.conversations(
                offset: (request.pageNumber - 1) * request.pageSize,
                count: request.pageSize,
                for: asker.chat
            )
            shown = list.conversations
        } else {
            list = try await service.conversations(count: 0, for: asker.chat)
            shown = try await summaries(for: asker).filter { named.contains($0.conversation) }
        }
        let peers = try await profiles(Set(shown.map(\.peer)), for: asker)
        var rows: [ConversationElement] = []
        for summary in shown {
            var row = ConversationElement(summary, peer: peers[summary.peer])
            if let latest = row.latest { row.latest = try await media.adding(to: latest, for: asker.person) }
            rows.append(row)
        }
        return SortedConversations(
            total: named.isEmpty ? list.total : shown.count,
            unreadTotal: list.unreadTotal,
            elements: rows
        )
    }

    /// Every visible conversation: a person has as many as people to write with.
    private func summaries(for asker: Asker) async throws -> [ConversationSummary] {
        var all: [ConversationSummary] = []
        while true {
            let page = try await service.conversations(
                offset: all.count,
                count: ChatHubLimits.conversations,
                for: asker.chat
            )
            all += page.conversations
            // Half of an answer of these is the frame around each.
            guard page.conversations.count == ChatHubLimits.conversations, all.count < ChatLimits.conversations else {
                return Array(all.prefix(ChatLimits.conversations))
            }
        }
    }

    // MARK: People

    var people: [ServedRequest] {
        [
            ServedRequest(ChatEndpoints.profiles) { [self] request, asker in
                let found = try await profiles(Set(request.people), for: asker)
                return Profiles(request.people.compactMap { found[$0] })
            },
            ServedRequest(IMEndpoints.usersInfo) { [self] request, asker in
                let found = try await profiles(Set(request.people), for: asker)
                return UsersInfo(request.people.compactMap { found[$0] })
            },
            ServedRequest(IMEndpoints.onlineStatus) { [service] request, asker in
                let online = try await service.online(request.people, for: asker.chat)
                return OnlineStatuses(
                    request.people.map { OnlineStatuses.Status(person: $0, isOnline: online.contains($0)) }
                )
            },
            ServedRequest(IMEndpoints.addBlack) { [service] request, asker in
                try asker.check(is: request.owner)
                try await service.block(request.blocked, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(IMEndpoints.removeBlack) { [service] request, asker in
                try asker.check(is: request.owner)
                try await service.unblock(request.blocked, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(IMEndpoints.blackList) { [service] request, asker in
                try asker.check(is: request.user)
                let all = try await service.blocked(for: asker.chat)
                let page = all.dropFirst((request.pageNumber - 1) * request.pageSize).prefix(request.pageSize)
                return BlackList(Array(page), total: all.count)
            },
            ServedRequest(ChatEndpoints.report) { [service] request, asker in
                let target = request.clientMessageID.flatMap { id in
                    request.conversation.peer(of: asker.person).map { MessageTarget.client(id: id, sender: $0) }
                }
                _ = try await service.report(
                    target,
                    in: request.conversation,
                    reason: request.reason,
                    by: asker.chat
                )
                return NoMembers()
            },
        ]
    }

    private func profiles(_ people: Set<UserID>, for asker: Asker) async throws -> [UserID: Profile] {
        let found = try await accounts.accounts(people)
        let faces = try await media.faces(of: found.map(\.avatar).filter { !$0.isEmpty }, for: asker.person)
        return Dictionary(
            uniqueKeysWithValues: found.map {
                ($0.person, Profile(person: $0.person, name: $0.nickname, avatar: faces[$0.avatar] ?? ""))
            }
        )
    }
}

extension ConversationSettings {
    init(summary: ConversationSummary) {
        self.init(summary.settings)
        minimumSequence = summary.seqs.minSeq
        maximumSequence = summary.seqs.maxSeq
    }
}

extension ConversationElement {
    init(_ summary: ConversationSummary, peer: Profile?) {
        self.init(
            conversation: summary.conversation,
            receiveOption: summary.settings.receiveOption,
            unreadCount: summary.unread,
            isPinned: summary.settings.isPinned,
            senderName: peer?.name ?? "",
            faceURL: peer?.avatar ?? "",
            latestTime: summary.lastTime,
            latest: summary.lastMessage.map { MessageData($0) },
            standing: ConversationStanding(summary)
        )
    }
}

extension ConversationStanding {
    init(_ summary: ConversationSummary) {
        let request: Request? =
            switch summary.request {
            case .none: nil
            case .incoming: .incoming
            case .outgoing: .outgoing
            }
        self.init(
            request: request,
            isBlocked: summary.isBlocked,
            isPeerDeleted: summary.isPeerDeleted,
            newest: summary.seqs.maxSeq,
            lowest: summary.seqs.minSeq,
            read: summary.seqs.readSeq,
            peerRead: summary.peerReadSeq,
            peerReceived: summary.peerReceivedSeq,
            draft: summary.settings.draft
        )
    }
}
