import Foundation
import Kernel
import SignalingServer
import Testing

@Suite("Recorded transcripts replay frame by frame", .timeLimit(.minutes(5)))
struct TranscriptTests {
    static let names = [
        "disconnect_notice", "malformed", "message_offline_then_delivery", "message_online", "missing_fields",
        "peers_and_status", "ping", "register_missing_peerid", "register_ok", "signaling_online", "unknown_type",
    ]

    @Test("in an open server", arguments: SignalingDialect.allCases, names)
    func open(dialect: SignalingDialect, name: String) async throws {
        try await replay(dialect, name, isLegacyOpen: true)
    }

    @Test(
        "and those that show nothing of others, in a closed one",
        arguments: SignalingDialect.allCases,
        ["malformed", "ping", "unknown_type"]
    )
    func closed(dialect: SignalingDialect, name: String) async throws {
        try await replay(dialect, name, isLegacyOpen: false)
    }

    private func replay(_ dialect: SignalingDialect, _ name: String, isLegacyOpen: Bool) async throws {
        let transcript = try Transcript(dialect: dialect, name: name)
        // The recording began with a message for pc-1 waiting and, in the embedded server, an entry for it without a socket.
        let isContinued = name == "message_online"
        try await withServer {
            $0.dialect = dialect
            $0.isLegacyOpen = isLegacyOpen
            guard dialect == .embedded else { return }
            $0.localPeer = LocalPeer(
                id: isContinued ? "pc-1" : "pc-local-1",
                deviceName: "rig-pc",
                platform: "linux",
                ipAddress: "192.0.2.2"
            )
        } _: { server in
            if isContinued {
                let earlier = try await server.peer("obs")
                try await earlier.send(["type": "message", "to": "pc-1", "payload": ["type": "after-close-first-id"]])
                try await earlier.expectType("peer-offline")
                await earlier.close()
            }
            try await transcript.replay(against: server)
        }
    }
}
