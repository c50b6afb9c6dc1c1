/// Asks web servers over HTTP and HTTPS, for the parts of a phone or a hub that need one.
///
/// A client never follows a redirect: its status and its `Location` field are the answer, and whoever asked decides, because a token must not
/// travel to a host that nobody chose. Bodies are not decompressed, and no `Accept-Encoding` is sent: what counts against a bound is what
/// comes over the network.
public protocol WebClient: Sendable {
    /// Sends `request` and hands its answer to `read` as soon as its head is there. The connection is kept for others when the whole body was
    /// read, and closed otherwise.
    ///
    /// - Parameter read: The answer is good until this returns.
    /// - Throws: ``WebClientError``, also through the answer's body; what `read` throws. A cancelled task ends the request at once, with
    ///   ``WebClientError/cancelled``.
    func send<Value: Sendable>(
        _ request: WebRequest,
        reading read: @escaping @Sendable (WebAnswer) async throws -> Value
    ) async throws -> Value

    /// Closes every connection. A request that is under way ends, and a later one is ``WebClientError/closed``.
    func shutdown() async
}

extension WebClient {
    /// Sends `request` and waits for the whole answer, whose body is at most ``WebRequest/largestBody``.
    public func collect(_ request: WebRequest) async throws(WebClientError) -> CollectedAnswer {
        do {
            return try await send(request) { answer in
                CollectedAnswer(status: answer.status, fields: answer.fields, body: try await answer.body.collect())
            }
        } catch let error as WebClientError {
            throw error
        } catch {
            // Reading a body throws nothing else, so this is the end of a cancelled task.
            throw .cancelled
        }
    }
}
