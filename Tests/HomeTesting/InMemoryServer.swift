import Foundation
import TandemDesktop

/// The signaling server of a computer in memory: the relay itself is the network's.
struct InMemoryServer: OwnServer {
    let port: Int

    /// Runs until its task is cancelled.
    func run() async throws {
        let (forever, _) = AsyncStream.makeStream(of: Never.self)
        for await _ in forever {}
    }

    func boundPort() async throws -> Int { port }
    func isLocal(_ id: String) -> Bool { true }
    var certificateHash: [UInt8]? { nil }
    func reloadCertificates() throws {}
}
