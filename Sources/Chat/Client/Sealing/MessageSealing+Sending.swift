import Accounts
public import Chat

extension MessageSealing {
    /// How often a message is sealed anew for one attempt to send it: two devices may be added while it is on its way.
    private static var attempts: Int { 3 }

    /// Seals a message and sends it; one that the hub refuses for old lists is sealed anew under the same id.
    ///
    /// - Returns: The answer, and whether the message went out sealed.
    public func send(
        _ request: SendMessage,
        by send: (SendMessage) async throws -> SendMessageAnswer
    ) async throws -> (answer: SendMessageAnswer, isSealed: Bool) {
        for attempt in 1... {
            let outgoing = try await outgoing(request)
            do {
                let answer = try await send(outgoing)
                await acknowledged(request)
                if case .sealed = outgoing.payload { return (answer, true) }
                return (answer, false)
            } catch ChatError.refused(.outdatedList, _) where attempt < Self.attempts {
                await outdated(request)
            }
        }
        throw ChatError.refused(.outdatedList)
    }

    /// What keeps no sealed forms has nothing to forget.
    public func outdated(_ request: SendMessage) async {}
    public func acknowledged(_ request: SendMessage) async {}
    public func fetchedEverything(upTo time: Int64) async {}

    /// What keeps no lists of devices sees none change.
    public func deviceChanges(of conversation: ConversationID, since place: DeviceListPlace?) async -> DeviceChanges? {
        nil
    }
}
