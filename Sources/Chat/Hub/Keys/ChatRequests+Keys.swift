import Accounts
import Chat

extension ChatRequests {
    var chatKeys: [ServedRequest] {
        [
            ServedRequest(ChatEndpoints.appendToChain) { [service] request, asker in
                try asker.check(is: request.user)
                try await service.appendToChain(request.entry, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(ChatEndpoints.chains) { [service] request, _ in
                let found = try await service.chains(of: request.places.map { ($0.person, $0.after) })
                return Chains(
                    found.map {
                        Chains.Part(person: $0.person, newest: $0.newest, start: $0.start, entries: $0.entries)
                    }
                )
            },
            ServedRequest(ChatEndpoints.publishChatKey) { [service] request, asker in
                try asker.check(is: request.user)
                try await service.publishChatKey(request.bundle, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(ChatEndpoints.chatKeys) { [service] request, asker in
                ChatKeys(try await service.chatKeys(of: request.people, for: asker.chat))
            },
        ]
    }
}
