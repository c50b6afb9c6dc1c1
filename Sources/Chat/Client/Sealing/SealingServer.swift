public import Chat

/// A way to the hub that tells the account's keys first what they have to know of the news.
public struct SealingServer: ChatServer {
    private let server: any ChatServer
    private let sealing: SealedMessages

    public init(_ server: any ChatServer, sealing: SealedMessages) {
        self.server = server
        self.sealing = sealing
    }

    public func follow(_ receive: @escaping @Sendable (ChatServerNews) async -> Void) async {
        await server.follow { [sealing] news in
            await sealing.note(news)
            await receive(news)
        }
    }

    public func ask<Request, Answer>(
        _ endpoint: ChatEndpoint<Request, Answer>,
        _ request: Request
    ) async throws(ChatError) -> Answer {
        try await server.ask(endpoint, request)
    }
}
