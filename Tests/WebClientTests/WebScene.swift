import Kernel
import NetworkWebClient
import Testing
import WebClient

/// Runs `body` with a client over sockets, and shuts it down.
func withClient(
    _ configuration: NetworkWebClientConfiguration = NetworkWebClientConfiguration(),
    body: (NetworkWebClient) async throws -> Void
) async throws {
    let client = try NetworkWebClient(configuration)
    do {
        try await body(client)
    } catch {
        await client.shutdown()
        throw error
    }
    await client.shutdown()
}

/// The error with which a request ends; a test fails without one.
func failure(
    of request: WebRequest,
    at client: any WebClient,
    sourceLocation: SourceLocation = #_sourceLocation
) async -> WebClientError? {
    do throws(WebClientError) {
        let answer = try await client.collect(request)
        Issue.record("status \(answer.status) in place of an error", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}
