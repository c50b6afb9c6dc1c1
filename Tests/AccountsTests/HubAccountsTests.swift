import Accounts
import AccountsHub
import Control
import Foundation
import HomeTesting
import Kernel
import Sealing
import TandemHub
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Accounts at a real hub over a socket: the feature as a hub lists it, with its own database and its keys on disk.
@Suite("Accounts at a hub", .timeLimit(.minutes(4)))
struct HubAccountsTests {
    private static func post(
        _ endpoint: AccountEndpoint,
        _ body: some Encodable,
        to hub: HomeHub,
        token: String? = nil
    ) async throws -> (status: Int, envelope: IMEnvelope) {
        var request = URLRequest(url: try await hub.url(endpoint.path))
        request.httpMethod = "POST"
        request.httpBody = Data(try JSONValue(encoding: body).canonicalBytes)
        if let token { request.setValue(token, forHTTPHeaderField: "token") }
        let (bytes, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return (status, try JSONValue(parsing: bytes).decode(as: IMEnvelope.self))
    }

    @Test("a fresh phone comes with an invitation and its key; the hub's next process knows its session and its token")
    func hub() async throws {
        try await Home.run(hubs: [HubPlan(features: [AccountsFeature.maker])], computers: [], phones: []) { home in
            let (hub, phone) = (try home.hub(named: "hub"), Identity())
            let invited = try await hub.role.control.call(AccountsControl.invite, .init())
            let told: Challenge = try await Self.post(.challenge, ChallengeRequest(did: phone.did.text), to: hub)
                .envelope.result().decode(as: Challenge.self)
            let url = try await hub.url("/")
            var request = RegisterRequest(
                name: "ada",
                device: DeviceDescription(name: "phone", platformID: .android),
                invitation: invited.code
            )
            let host = "\(url.host ?? ""):\(url.port ?? 0)"
            try request.prove(by: phone, challenge: told.challenge, host: host)
            let session = try await Self.post(.register, request, to: hub).envelope.result()
                .decode(as: AccountSession.self)
            #expect(session.userID == "tb_1")
            await hub.stop()
            try await hub.start()
            let me = try await Self.post(.me, [String: String](), to: hub, token: session.accessToken)
            #expect(me.status == 200)
            #expect(try me.envelope.result()["name"] == "ada")
            let refreshed = try await Self.post(.refresh, RefreshRequest(refreshToken: session.refreshToken), to: hub)
            #expect(refreshed.status == 200)
            let tooLong = try await Self.status(of: String(repeating: "a", count: AccountEndpoint.bodyLimit), at: hub)
            #expect(tooLong == 413)
        }
    }

    private static func status(of text: String, at hub: HomeHub) async throws -> Int {
        var request = URLRequest(url: try await hub.url(AccountEndpoint.login.path))
        request.httpMethod = "POST"
        request.httpBody = Data(try JSONValue(encoding: ["name": text]).canonicalBytes)
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}
