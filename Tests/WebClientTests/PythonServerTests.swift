import Foundation
import NetworkWebClient
import Subprocess
import Testing
import WebClient
import WebClientTesting

/// A walk against a server that nobody here wrote: Python's.
@Suite(.timeLimit(.minutes(1)))
struct PythonServerTests {
    private static let script = """
        import http.server, ssl, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_GET(self):
                body = b"x" * 300000
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for start in range(0, len(body), 1000):
                    piece = body[start:start + 1000]
                    self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(piece), piece))
                self.wfile.write(b"0\\r\\n\\r\\n")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_address[1], flush=True)
        server.serve_forever()
        """

    @Test("Python's server is asked over TLS: a body down, one up and back in chunks, one without its method")
    func walk() async throws {
        let certificate = try TestCertificate(names: ["localhost"])
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder does no harm
        let (chain, key) = (folder.appending(path: "chain.pem"), folder.appending(path: "key.pem"))
        try Data(certificate.pem).write(to: chain)
        try Data(certificate.keyPEM.utf8).write(to: key)
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        _ = try await Subprocess.run(
            .name("python3"),
            arguments: ["-c", Self.script, chain.path, key.path],
            platformOptions: options,
            input: .none,
            output: .sequence,
            error: .discarded
        ) { execution in
            var port: Int?
            for try await line in execution.standardOutput.strings() {
                port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines))
                break
            }
            try await Self.ask(try #require(port), certificate)
            await execution.teardown(using: options.teardownSequence)
        }
    }

    private static func ask(_ port: Int, _ certificate: TestCertificate) async throws {
        try await withClient(NetworkWebClientConfiguration(certificates: certificate.pem)) { client in
            let url = try WebURL("https://localhost:\(port)/")
            let down = try await client.collect(WebRequest(.get, url))
            #expect(down.body == [UInt8](repeating: 0x78, count: 300_000))
            let sent = (0..<5000).map { UInt8($0 % 251) }
            let up = try await client.collect(WebRequest(.post, url, body: .bytes(sent)))
            #expect(up.body == sent)
            #expect(try await client.collect(WebRequest(.delete, url)).status == 501)
        }
    }
}
