import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import NIOSSL
import Synchronization
import Testing
import WebClientTesting

@testable import Transport

@Suite("A certificate that comes while a server runs", .timeLimit(.minutes(1)))
struct CertificateChallengeTests {
    /// The first message of a real client.
    private func hello(name: String?, protocols: [String]) throws -> [UInt8] {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = protocols
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(
            NIOSSLClientHandler(context: NIOSSLContext(configuration: configuration), serverHostname: name)
        )
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        var bytes: [UInt8] = []
        while let piece = try channel.readOutbound(as: ByteBuffer.self) { bytes += piece.readableBytesView }
        _ = try? channel.finish(acceptAlreadyClosed: true)  // its handshake never ends
        return bytes
    }

    @Test("a client's first message tells the name and the protocols that it asks for")
    func firstMessage() throws {
        let bytes = try hello(name: "Hub.Example.org", protocols: ["acme-tls/1"])
        let expected = ClientHello(serverName: "hub.example.org", protocols: ["acme-tls/1"])
        #expect(ClientHello.parse(bytes) == .hello(expected))
        for count in bytes.indices { #expect(ClientHello.parse(bytes.prefix(count)) == .incomplete) }
        // In records of 100 bytes, as a client may send it.
        let message = Array(bytes.dropFirst(5))
        let parts = stride(from: 0, to: message.count, by: 100).map { message[$0..<min($0 + 100, message.count)] }
        #expect(ClientHello.parse(parts.flatMap { [22, 3, 1, 0, UInt8($0.count)] + $0 }) == .hello(expected))
        #expect(ClientHello.parse(try hello(name: nil, protocols: [])) == .hello(ClientHello()))
        let several = ClientHello(serverName: "a.test", protocols: ["h2", "http/1.1"])
        #expect(ClientHello.parse(try hello(name: "a.test", protocols: ["h2", "http/1.1"])) == .hello(several))
    }

    @Test("what is no first message is malformed, whatever its counts say")
    func malformed() throws {
        for bytes: [UInt8] in [
            Array("GET / HTTP/1.1\r\n".utf8), [23, 3, 1, 0, 1, 0], [22, 3, 1, 0, 0], [22, 3, 1, 255, 255],
            [22, 3, 1, 0, 4, 2, 0, 0, 0],
            [22, 3, 1, 0, 4, 1, 255, 255, 255], [22, 3, 1, 0, 4, 1, 0, 0, 0], [UInt8](repeating: 22, count: 20_000),
        ] {
            #expect(ClientHello.parse(bytes) == .malformed)
        }
        let good = try hello(name: "a.test", protocols: ["acme-tls/1"])
        // Every byte in turn, turned around: nothing is read behind the end.
        for index in good.indices {
            var bad = good
            bad[index] ^= 0xFF
            _ = ClientHello.parse(bad)
        }
    }

    /// The DER of the certificate that a server shows; nil where it shows none.
    private func shown(port: Int, name: String, protocols: [String]) async throws -> [UInt8]? {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = protocols
        let context = try NIOSSLContext(configuration: configuration)
        let seen = SeenCertificate()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(
                            context: context,
                            serverHostname: name,
                            customVerificationCallback: { certificates, verdict in
                                seen.bytes.withLock { $0 = try? certificates.first?.toDERBytes() }
                                verdict.succeed(.failed)
                            }
                        )
                    )
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        try await channel.closeFuture.get()
        return seen.bytes.withLock { $0 }
    }

    private final class SeenCertificate: Sendable {
        let bytes = Mutex<[UInt8]?>(nil)
    }

    /// One file with a certificate and its key.
    private func write(_ certificate: TestCertificate, to url: URL) throws -> TLSFiles {
        try Data(certificate.pem + Array("\n\(certificate.keyPEM)".utf8)).write(to: url)
        return TLSFiles(certificate: url, key: url)
    }

    @Test("until it is there only the authority is answered; then new connections get it, and those that stand stay")
    func whole() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        let listener = WebSocketListener(
            awaiting: TLSFiles(certificate: file, key: file),
            for: ["hub.test"]
        )
        let server = try await EchoServer(listener: listener)
        #expect(listener.certificateHash == nil)
        #expect(listener.certificateNames == ["hub.test"])
        #expect(try await shown(port: server.port, name: "hub.test", protocols: ["http/1.1"]) == nil)

        let proof = try TestCertificate(names: ["hub.test"])
        let challenge = try ChallengeIdentity(
            name: "Hub.test",
            certificate: proof.certificate.toDERBytes(),
            key: proof.keyPEM
        )
        listener.answer(challenge)
        let proofBytes = try proof.certificate.toDERBytes()
        #expect(try await shown(port: server.port, name: "hub.test", protocols: ["acme-tls/1"]) == proofBytes)
        for (name, protocols) in [
            ("other.test", ["acme-tls/1"]), ("hub.test", ["http/1.1"]), ("hub.test", ["acme-tls/1", "http/1.1"]),
        ] {
            #expect(try await shown(port: server.port, name: name, protocols: protocols) == nil)
        }

        let first = try TestCertificate(names: ["hub.test"])
        try listener.reload(write(first, to: file))
        let firstBytes = try first.certificate.toDERBytes()
        #expect(try await shown(port: server.port, name: "hub.test", protocols: ["http/1.1"]) == firstBytes)
        #expect(try await shown(port: server.port, name: "hub.test", protocols: ["acme-tls/1"]) == proofBytes)
        listener.withdrawChallenge(for: "hub.test")
        #expect(try await shown(port: server.port, name: "hub.test", protocols: ["http/1.1"]) == firstBytes)

        var configuration = WebSocketConfiguration()
        configuration.trust = .certificate(sha256: try #require(listener.certificateHash))
        let url = try #require(URL(string: "wss://localhost:\(server.port)/"))
        let standing = try await WebSocketConnection.connect(to: url, headers: [], configuration: configuration)
        var messages = standing.messages.makeAsyncIterator()
        let second = try TestCertificate(names: ["hub.test"])
        try listener.reload(write(second, to: file))
        #expect(try await shown(port: server.port, name: "hub.test", protocols: []) == second.certificate.toDERBytes())
        try await standing.send(text: "still here")
        #expect(await messages.next() == .text(Array("still here".utf8)))
        await standing.close()
        try await server.close()
    }
}
