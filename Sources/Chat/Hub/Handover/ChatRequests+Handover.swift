import Accounts
import Chat

extension ChatRequests {
    var handovers: [ServedRequest] {
        [
            ServedRequest(ChatEndpoints.offerHandover) { [service] request, asker in
                try asker.check(is: request.user)
                try await service.offerHandover(request.offer, objects: request.objects, by: asker.chat)
                return NoMembers()
            },
            ServedRequest(ChatEndpoints.handovers) { [service] request, asker in
                try asker.check(is: request.user)
                return Handovers(try await service.handovers(of: asker.chat))
            },
            ServedRequest(ChatEndpoints.endHandover) { [service] request, asker in
                try asker.check(is: request.user)
                try await service.endHandover(request.id, by: asker.chat)
                return NoMembers()
            },
        ]
    }
}
