import Capabilities
import Control
import Foundation
import HomeTesting
import Kernel
import TandemDesktop
import TandemHub
import Testing
import Transport
import WhiteboardHub

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The half of the whiteboard that serves people with accounts, at a hub and at a computer that is one too.
@Suite("A feature of a hub with people", .timeLimit(.minutes(4)))
struct WhiteboardHubTests {
    private static let invitation = HubBoard.Invitation(person: "ada", device: "tablet")

    private struct Answer: Hashable {
        let status: Int
        let text: String
    }

    private static func draw(_ shape: String, at url: URL, secret: String?) async throws -> Answer {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(shape.utf8)
        if let secret { request.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization") }
        let (body, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        return Answer(status: status, text: String(decoding: body, as: UTF8.self))
    }

    @Test("an account draws at a hub and follows what is drawn; a stranger and a wrong secret do not")
    func hub() async throws {
        try await Home.run(hubs: [HubPlan(features: [HubBoard.maker])], computers: [], phones: []) { home in
            let hub = try home.hub(named: "hub")
            let secret = try await hub.role.control.call(HubBoard.invite, Self.invitation).secret
            let board = try await hub.url("/board")
            let headers = [(name: "Authorization", value: "Bearer \(secret)")]
            let socket = try await WebSocketConnection.connect(
                to: hub.url("/board/live", scheme: "ws"),
                headers: headers
            )
            var told = socket.messages.makeAsyncIterator()
            #expect(await told.next() == .text(Array("open".utf8)))
            let drawn = try await Self.draw("line", at: board, secret: secret)
            #expect(drawn == Answer(status: 200, text: "1 account:ada/tablet line"))
            #expect(await told.next() == .text(Array(drawn.text.utf8)))
            for wrong in [nil, "", "x" + secret] {
                #expect(try await Self.draw("line", at: board, secret: wrong).status == 401)
            }
            await socket.close(.normal, reason: "")
            // The next process knows who was invited, and what was drawn.
            await hub.stop()
            try await hub.start()
            let again = try await Self.draw("dot", at: hub.url("/board"), secret: secret)
            #expect(again == Answer(status: 200, text: "2 account:ada/tablet dot"))
        }
    }

    @Test("the same half serves at a computer that is a hub too, and a name that is no account is refused")
    func computer() async throws {
        var plan = ComputerPlan()
        plan.served = [HubBoard.maker]
        plan.servesSockets = true
        plan.settings = ["boardTitle": "Our board"]
        try await Home.run(computers: [plan], phones: []) { home in
            let desktop = try await home.computer(named: "studio-pc").role
            let port = try await desktop.boundPort()
            let title = try #require(URL(string: "http://127.0.0.1:\(port)/board/title"))
            let (body, _) = try await URLSession.shared.data(from: title)
            #expect(String(decoding: body, as: UTF8.self) == "Our board")
            let secret = try await desktop.control.call(HubBoard.invite, Self.invitation).secret
            let board = try #require(URL(string: "http://127.0.0.1:\(port)/board"))
            #expect(try await Self.draw("line", at: board, secret: secret).text == "1 account:ada/tablet line")
            let wrong = HubBoard.Invitation(person: "Ada Lovelace", device: "tablet")
            await #expect(throws: HubBoardError.noAccount("Ada Lovelace")) {
                try await desktop.control.call(HubBoard.invite, wrong)
            }
        }
    }
}
