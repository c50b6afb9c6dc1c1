import Accounts
import AccountsClient
import Control
import Kernel
import KernelTesting
import Sealing
import Storage
import Testing
import WebClient
import WebClientTesting

@testable import AccountsHub

/// A device's half of accounts, against the hub's own routes.
struct AccountClientTests {
    /// A device: its key and its database, which outlast the program.
    private struct Device {
        let identity = Identity()
        let store: AccountStore

        init() throws {
            store = AccountStore(try StateDatabase.inMemory(schema: Schema("phone", [AccountStore.migrations])))
        }

        func client(_ web: any WebClient, _ rig: AccountsRig) -> AccountClient {
            AccountClient(web: web, identity: identity, store: store, device: AccountsRig.phone, time: rig.clock)
        }
    }

    private static let hub = "https://\(AccountsRig.host)/"

    private static func web(_ rig: AccountsRig) -> ScriptedWebClient {
        ScriptedWebClient { request in
            guard case .bytes(let bytes) = request.body,
                let endpoint = AccountEndpoint.allCases.first(where: { request.url.text.hasSuffix($0.path) })
            else { return CollectedAnswer(status: 404) }
            let fields = request.fields.fields.map { (name: $0.name, value: $0.value) }
            let reply = try await rig.post(endpoint, bytes: bytes, fields: fields, host: request.url.authority)
            return CollectedAnswer(
                status: reply.status,
                body: try JSONValue(encoding: reply.envelope).canonicalBytes
            )
        }
    }

    private static func answering(_ answer: CollectedAnswer) -> ScriptedWebClient { ScriptedWebClient { _ in answer } }

    @Test("An account of a device's own key needs no password, and goes on after a restart")
    func key() async throws {
        let (rig, device) = (try AccountsRig(), try Device())
        let web = Self.web(rig)
        let account = try await device.client(web, rig).register(at: try WebURL(Self.hub), name: "ada", nickname: "Ada")
        #expect(account.name == "ada")
        let restarted = device.client(web, rig)
        #expect(try await restarted.account() == account)
        #expect(try await restarted.me().userID == account.user.imUserID)
        let devices = try await restarted.devices()
        #expect(devices.map(\.isCurrent) == [true])
        #expect(devices.map(\.did) == [device.identity.did.text])
    }

    @Test("A second device signs in by name and password, and one that it ends is told and forgets its session")
    func ended() async throws {
        let (rig, one, two) = (try AccountsRig(), try Device(), try Device())
        let web = Self.web(rig)
        let (first, second) = (one.client(web, rig), two.client(web, rig))
        let hub = try WebURL(Self.hub)
        let account = try await first.register(at: hub, name: "ada", password: AccountsRig.password)
        _ = try await second.login(at: hub, name: "ada", password: AccountsRig.password)
        try await second.end(device: account.device)
        await #expect(throws: AccountClientError.signedOut(name: "ada", hub: hub.origin)) { try await first.me() }
        #expect(try await first.account() == nil)
        await #expect(throws: AccountClientError.notSignedIn) { try await first.me() }
    }

    @Test("Several callers wait for one renewal of the access token")
    func renewal() async throws {
        let (rig, device) = (try AccountsRig(), try Device())
        let web = Self.web(rig)
        let client = device.client(web, rig)
        _ = try await client.register(at: try WebURL(Self.hub), name: "ada")
        let before = try await client.token()
        rig.clock.advance(by: .seconds(15 * 60))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await client.token() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(!tokens.contains(before))
        #expect(web.requests.filter { $0.url.text.hasSuffix(AccountEndpoint.refresh.path) }.count == 1)
    }

    @Test("A device has one account: a second one is refused before the hub is asked")
    func second() async throws {
        let (rig, device) = (try AccountsRig(), try Device())
        let web = Self.web(rig)
        let client = device.client(web, rig)
        let hub = try WebURL(Self.hub)
        _ = try await client.register(at: hub, name: "ada")
        let asked = web.requests.count
        await #expect(throws: AccountClientError.alreadySignedIn(name: "ada", hub: hub.origin)) {
            try await client.login(at: hub)
        }
        #expect(web.requests.count == asked)
    }

    @Test("A name that is taken, a hub that takes nobody and an invitation that is not good say so in the hub's words")
    func refused() async throws {
        let hub = try WebURL(Self.hub)
        let cases: [(Admission, AccountsError)] = [(.nobody, .closed), (.invitation, .invitationRefused)]
        for (admission, expected) in cases {
            let rig = try AccountsRig(admission)
            let error = await #expect(throws: AccountClientError.self) {
                try await Device().client(Self.web(rig), rig)
                    .register(at: hub, name: "ada", invitation: InvitationCode("111 111 111 111"))
            }
            #expect(error?.description == expected.description)
            #expect(error?.facts.reason == expected.imReason.map { "account.\($0)" })
        }
        let rig = try AccountsRig()
        _ = try await Device().client(Self.web(rig), rig).register(at: hub, name: "ada")
        let error = await #expect(throws: AccountClientError.self) {
            try await Device().client(Self.web(rig), rig).register(at: hub, name: "ada", password: AccountsRig.password)
        }
        #expect(error?.facts.kind == .exists)
    }

    @Test("Signing out ends the session at the hub, and forgets it also where the hub is away")
    func logout() async throws {
        let (rig, device) = (try AccountsRig(), try Device())
        let (web, hub) = (Self.web(rig), try WebURL(Self.hub))
        let client = device.client(web, rig)
        let account = try await client.register(at: hub, name: "ada")
        #expect(try await client.logout())
        #expect(try await client.account() == nil)
        // The key opens the account still.
        #expect(try await client.login(at: hub).user == account.user)
        let away = ScriptedWebClient { _ in throw WebClientError.unknownHost("hub.example") }
        let offline = device.client(away, rig)
        #expect(try await offline.logout() == false)
        #expect(try await offline.account() == nil)
    }

    @Test("Deleting takes the account's name, and leaves nothing on the device")
    func deletion() async throws {
        let (rig, device) = (try AccountsRig(), try Device())
        let client = device.client(Self.web(rig), rig)
        _ = try await client.register(at: try WebURL(Self.hub), name: "ada")
        let error = await #expect(throws: AccountClientError.self) { try await client.delete(confirming: "bob") }
        #expect(error?.description == AccountsError.otherName.description)
        try await client.delete(confirming: "ada")
        #expect(try await client.account() == nil)
    }

    @Test("A hub without accounts, one that leads elsewhere, one that cannot be read and a wrong clock are told apart")
    func strangers() async throws {
        let (rig, hub) = (try AccountsRig(), try WebURL(Self.hub))
        let early = IMEnvelope(IMFailure(.tokenNotYetValid))
        let cases: [(CollectedAnswer, AccountClientError)] = [
            (CollectedAnswer(status: 404), .noAccounts(hub: hub.origin)),
            (CollectedAnswer(status: 302, fields: ["Location": "https://other/"]), .redirected(hub: hub.origin)),
            (CollectedAnswer(status: 200, body: Array("<html>".utf8)), .brokenAnswer(hub: hub.origin)),
            (CollectedAnswer(status: 200, body: Array("{\"errCode\":0}".utf8)), .brokenAnswer(hub: hub.origin)),
            (
                CollectedAnswer(status: 401, body: try JSONValue(encoding: early).canonicalBytes),
                .clockWrong(hub: hub.origin)
            ),
        ]
        for (answer, expected) in cases {
            await #expect(throws: expected) {
                try await Device().client(Self.answering(answer), rig).login(at: hub)
            }
        }
    }

    @Test("A device finds somebody by name, and sets a password by which another one signs in")
    func findingAndPassword() async throws {
        let (rig, hub) = (try AccountsRig(), try WebURL(Self.hub))
        let (ada, bob) = (try Device(), try Device())
        let web = Self.web(rig)
        let (hers, his) = (ada.client(web, rig), bob.client(web, rig))
        let account = try await hers.register(at: hub, name: "ada")
        _ = try await his.register(at: hub, name: "bob")
        #expect(try await his.find("Ada").userID == account.user.imUserID)
        await #expect(throws: AccountClientError.self) { try await his.find("nobody") }
        try await hers.setPassword(AccountsRig.password, old: nil)
        await #expect(throws: AccountClientError.self) { try await hers.setPassword("something else", old: nil) }
        let tablet = try Device()
        let login = try await tablet.client(web, rig).login(at: hub, name: "ada", password: AccountsRig.password)
        #expect(login.user == account.user)
    }

    @Test("No password and no token stands in the address of a request")
    func secrets() async throws {
        let (rig, device) = (try AccountsRig(), try Device())
        let web = Self.web(rig)
        let client = device.client(web, rig)
        _ = try await client.register(at: try WebURL(Self.hub), name: "ada", password: AccountsRig.password)
        _ = try await client.devices()
        let token = try await client.token()
        for request in web.requests {
            #expect(!request.url.text.contains(token) && !request.url.text.contains("horse"))
        }
    }

    @Test("A phone's commands make an account, list its devices and sign out")
    func control() async throws {
        let (rig, device) = (try AccountsRig(), try Device())
        let web = Self.web(rig)
        let client = device.client(web, rig)
        let table = ControlTable(AccountFeature(client, web: web).controlRoutes)
        var changes = client.changes().makeAsyncIterator()
        let made = try await table.call(
            AccountControl.new,
            AccountControl.NewAccount(hub: "wss://\(AccountsRig.host)/", name: "ada")
        )
        #expect(made.hub == "https://hub.example:443")
        await changes.next()
        #expect(try await table.call(AccountControl.show, NoControlParameters()).account == made)
        #expect(
            try await table.call(AccountControl.devices, NoControlParameters()).devices.map(\.device) == [made.device]
        )
        let named = try await table.call(AccountControl.change, ProfileRequest(nickname: "  Ada Lovelace "))
        #expect(named.nickname == "Ada Lovelace")
        await changes.next()
        #expect(try await table.call(AccountControl.show, NoControlParameters()).account == named)
        let own = try await table.call(AccountControl.profile, NoControlParameters())
        #expect(own.nickname == "Ada Lovelace" && !own.hasPassword && own.keys == 1)
        #expect(try await table.call(AccountControl.logout, NoControlParameters()).hubWasTold)
        await changes.next()
        #expect(try await table.call(AccountControl.show, NoControlParameters()).account == nil)
    }

    @Test(
        "Nothing is sent in the clear, but within this device and a private network",
        arguments: [
            ("http://hub.example/", false), ("ws://203.0.113.7:9000", false), ("http://hub.local/", false),
            ("http://localhost:9000", true), ("ws://192.168.1.20:9001", true), ("http://[::1]:9000", true),
            ("hub.example", true),
        ]
    )
    func clear(address: String, isSent: Bool) async throws {
        let rig = try AccountsRig()
        let web = Self.answering(CollectedAnswer(status: 404))
        let hub = try HubAddress.url(typed: address)
        await #expect(throws: AccountClientError.self) { try await Device().client(web, rig).login(at: hub) }
        #expect(web.requests.isEmpty != isSent)
    }
}
