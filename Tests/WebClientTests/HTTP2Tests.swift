import NetworkWebClient
import Testing
import WebClient
import WebClientTesting

@Suite(.timeLimit(.minutes(1)))
struct HTTP2Tests {
    @Test("Requests to a server with HTTP/2 share one connection")
    func shared() async throws {
        let certificate = try TestCertificate(names: ["localhost"])
        try await HTTP2Server.run(.fine, certificate: certificate) { server in
            try await withClient(NetworkWebClientConfiguration(certificates: certificate.pem)) { client in
                let request = WebRequest(.get, try WebURL("https://localhost:\(server.port)/"))
                for _ in 0..<3 { #expect(try await client.collect(request).status == 200) }
                #expect(server.connections == 1)
                #expect(server.streams == 3)
            }
        }
    }

    @Test(
        "A server that goes away, or refuses a stream, costs a request that may be repeated nothing",
        arguments: [HTTP2Server.Answer.goAway, .reset]
    )
    func repeated(answer: HTTP2Server.Answer) async throws {
        let certificate = try TestCertificate(names: ["localhost"])
        try await HTTP2Server.run(answer, .fine, certificate: certificate) { server in
            try await withClient(NetworkWebClientConfiguration(certificates: certificate.pem)) { client in
                let request = WebRequest(.get, try WebURL("https://localhost:\(server.port)/"))
                #expect(try await client.collect(request).status == 200)
                #expect(server.streams == 2)
            }
        }
    }

    @Test("A request that may not be repeated is told that a server went away")
    func told() async throws {
        let certificate = try TestCertificate(names: ["localhost"])
        try await HTTP2Server.run(.goAway, .fine, certificate: certificate) { server in
            try await withClient(NetworkWebClientConfiguration(certificates: certificate.pem)) { client in
                let request = WebRequest(.post, try WebURL("https://localhost:\(server.port)/"))
                #expect(await failure(of: request, at: client) == .connectionLost(origin: request.url.origin))
                #expect(server.streams == 1)
            }
        }
    }
}
