import Accounts
import AccountsHub
import Control
import Kernel
import KernelTesting
import Sealing
import Testing

@Suite("New accounts", .timeLimit(.minutes(1)))
struct RegistrationTests {
    @Test("a person makes an account with a password, and is told who they are")
    func password() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("Ada")
        #expect(session.uid == 1 && session.userID == "tb_1" && session.name == "ada" && session.nickname == "ada")
        #expect(session.expiresIn == 900 && session.refreshToken?.hasPrefix("tdr_") == true)
        let me: OwnAccount = try await rig.post(.me, token: session.accessToken).value()
        #expect(me.hasPassword && me.keys == 0 && me.createdAt == rig.clock.date.millisecondsSince1970)
        let bearer = try await rig.post(.me, token: "Bearer " + session.accessToken, header: "Authorization")
        #expect(bearer.status == 200)
        #expect(bearer.fields["Cache-Control"] == "no-store")
    }

    @Test("a device makes an account with its key alone; its repeated request, whose answer was lost, signs in")
    func key() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        let first = try await rig.register("ada", by: phone)
        let second = try await rig.register("ada", by: phone)
        #expect(first.uid == 1 && second.uid == 1)
        #expect(await rig.refusal(of: first.accessToken) == .sessionOver)
        #expect(try await rig.asker(second).person.number == 1)
        let other = try await rig.signed(RegisterRequest(name: "eve", device: AccountsRig.phone), by: phone)
        #expect(try await rig.post(.register, other).code == .registeredAlready)
    }

    @Test("a name is one person's, whatever its capitals")
    func taken() async throws {
        let rig = try AccountsRig()
        _ = try await rig.register("ada")
        let request = RegisterRequest(name: "ADA", password: AccountsRig.password, device: AccountsRig.phone)
        let reply = try await rig.post(.register, request)
        #expect(reply.status == 409 && reply.code == .registeredAlready)
        #expect(reply.envelope.errDlt.hasPrefix("The name ada is taken."))
    }

    @Test("numbers of people are given once, also after the last account was deleted")
    func numbers() async throws {
        let rig = try AccountsRig()
        let first = try await rig.register("ada")
        let deleted = try await rig.post(.delete, DeleteAccountRequest(name: "ada"), token: first.accessToken)
        #expect(deleted.status == 200)
        #expect(try await rig.register("bob").uid == 2)
    }

    @Test(
        "a request that makes no sense is refused with its reason",
        arguments: [
            (#"{"name":"ada","password":"correct horse battery"}"#, "device is missing"),
            (#"{"name":"ada","device":{"name":"p","platformID":2}}"#, "A key or a password is needed"),
            (#"{"name":"tb_1","password":"correct horse battery","device":{"name":"p","platformID":2}}"#, "A name is"),
            (#"{"name":"ada","password":"short","device":{"name":"p","platformID":2}}"#, "A password is 10 to 1024"),
            (
                #"{"name":"ada","password":"correct horse battery","device":{"name":"p","platformID":0}}"#,
                "A device has"
            ),
            (#"{"name":"ada","did":"did:key:z6Mk","device":{"name":"p","platformID":2}}"#, "A signed request has all"),
            (#"{"name":7}"#, "name does not fit"), ("[]", "The body is no JSON object"),
            ("{", "The body is no JSON object"),
        ]
    )
    func senseless(body: String, reason: String) async throws {
        let reply = try await AccountsRig().post(.register, bytes: Array(body.utf8))
        #expect(reply.status == 400 && reply.code == .badArguments)
        #expect(reply.envelope.errDlt.contains(reason))
    }

    @Test("a nickname is shown without what acts on a screen or turns text around")
    func nickname() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("ada")
        let changed: OwnAccount = try await rig.post(
            .profile,
            ProfileRequest(nickname: " A\u{202E}d\u{1B}a \u{200B}", avatar: "chat/image/2026/11/27/abc.jpg"),
            token: session.accessToken
        ).value()
        #expect(changed.nickname == "Ada" && changed.avatar == "chat/image/2026/11/27/abc.jpg")
        for wrong in [
            ProfileRequest(nickname: String(repeating: "a", count: 65)), ProfileRequest(avatar: "../x"),
            ProfileRequest(avatar: "a\u{0}"), ProfileRequest(avatar: String(repeating: "a", count: 201)),
        ] {
            #expect(try await rig.post(.profile, wrong, token: session.accessToken).code == .badArguments)
        }
        let none: OwnAccount = try await rig.post(
            .profile,
            ProfileRequest(nickname: "", avatar: ""),
            token: session.accessToken
        ).value()
        #expect(none.nickname == "ada" && none.avatar == "")
    }

    // MARK: Who may

    @Test("where nobody may, nobody makes an account")
    func nobody() async throws {
        let request = RegisterRequest(name: "ada", password: AccountsRig.password, device: AccountsRig.phone)
        let reply = try await AccountsRig(.nobody).post(.register, request)
        #expect(reply.status == 403 && reply.code == .noPermission)
    }

    @Test("an invitation is good for as many people as it says, and not for one more")
    func invitation() async throws {
        let rig = try AccountsRig(.invitation)
        let without = RegisterRequest(name: "eve", password: AccountsRig.password, device: AccountsRig.phone)
        #expect(try await rig.post(.register, without).envelope.errDlt.contains("by invitation"))
        let invited = try await rig.control.call(AccountsControl.invite, .init(uses: 2, days: 1))
        let typed = InvitationCode(invited.code)?.description
        #expect(try await rig.register("ada", invitation: typed).uid == 1)
        #expect(try await rig.control.call(AccountsControl.invitations).invitations.map(\.used) == [1])
        #expect(try await rig.register("bob", invitation: invited.code).uid == 2)
        var third = without
        third.invitation = invited.code
        #expect(try await rig.post(.register, third).code == .noPermission)
        #expect(try await rig.control.call(AccountsControl.invitations).invitations == [])
    }

    @Test("of two who come at once with the last use of an invitation, one gets in")
    func race() async throws {
        let rig = try AccountsRig(.invitation)
        let invited = try await rig.control.call(AccountsControl.invite, .init())
        async let ada = rig.post(.register, request("ada", invited.code))
        async let bob = rig.post(.register, request("bob", invited.code))
        #expect(try await [ada.status, bob.status].sorted() == [200, 403])
        #expect(try await rig.control.call(AccountsControl.list, .init()).total == 1)
    }

    @Test("an invitation that is over or was taken back is void")
    func void() async throws {
        let rig = try AccountsRig(.invitation)
        let (old, back) = (
            try await rig.control.call(AccountsControl.invite, .init(days: 1)),
            try await rig.control.call(AccountsControl.invite, .init(days: 2))
        )
        rig.clock.advance(by: .seconds(86_400))
        _ = try await rig.control.call(AccountsControl.takeBack, .init(back.id))
        for code in [old.code, back.code] {
            #expect(try await rig.post(.register, request("ada", code)).code == .noPermission)
        }
        await #expect(throws: AccountsError.noSuchInvitation(back.id)) {
            try await rig.control.call(AccountsControl.takeBack, .init(back.id))
        }
        await #expect(throws: AccountsError.badInvitation(uses: 1...10_000, days: 1...365)) {
            try await rig.control.call(AccountsControl.invite, .init(uses: 0))
        }
    }

    @Test("a thousand invitations are open at a time; one that was used makes room")
    func manyInvitations() async throws {
        let rig = try AccountsRig(.invitation)
        let first = try await rig.control.call(AccountsControl.invite, .init())
        for _ in 1..<1000 { _ = try await rig.control.call(AccountsControl.invite, .init()) }
        await #expect(throws: AccountsError.tooManyInvitations(limit: 1000)) {
            try await rig.control.call(AccountsControl.invite, .init())
        }
        _ = try await rig.register("ada", invitation: first.code)
        _ = try await rig.control.call(AccountsControl.invite, .init())
        #expect(try await rig.control.call(AccountsControl.invitations).invitations.count == 1000)
    }

    @Test("wrong codes have to be waited for at their address, and not elsewhere")
    func codes() async throws {
        let rig = try AccountsRig(.invitation)
        let invited = try await rig.control.call(AccountsControl.invite, .init())
        for _ in 0..<5 { #expect(try await rig.post(.register, request("ada", "000 000 000 000")).status == 403) }
        let waiting = try await rig.post(.register, request("ada", invited.code))
        #expect(waiting.status == 429 && waiting.code == .tooManyRequests && waiting.fields["Retry-After"] == "10")
        let elsewhere = try await rig.post(.register, request("ada", invited.code), from: "192.0.2.2")
        #expect(elsewhere.status == 200)
        let next = try await rig.control.call(AccountsControl.invite, .init())
        rig.clock.advance(by: .seconds(10))
        #expect(try await rig.post(.register, request("bob", next.code)).status == 200)
    }

    @Test("a right code that is shown and not used does not set the count of guesses back")
    func unusedCode() async throws {
        let rig = try AccountsRig(.invitation)
        let invited = try await rig.control.call(AccountsControl.invite, .init(uses: 2))
        _ = try await rig.register("ada", invitation: invited.code)
        for _ in 0..<4 { #expect(try await rig.post(.register, request("bob", "000 000 000 000")).status == 403) }
        #expect(try await rig.post(.register, request("ada", invited.code)).status == 409)
        #expect(try await rig.post(.register, request("bob", "000 000 000 000")).status == 403)
        #expect(try await rig.post(.register, request("bob", invited.code)).status == 429)
    }

    @Test("where anybody may, an address makes a few accounts and then waits")
    func flood() async throws {
        let rig = try AccountsRig()
        for number in 0..<5 { _ = try await rig.register("ada\(number)") }
        let reply = try await rig.post(.register, request("eve", nil))
        #expect(reply.status == 429 && reply.fields["Retry-After"] == "600")
        #expect(try await rig.post(.register, request("eve", nil), from: "192.0.2.2").status == 200)
    }

    private func request(_ name: String, _ code: String?) -> RegisterRequest {
        RegisterRequest(name: name, password: AccountsRig.password, device: AccountsRig.phone, invitation: code)
    }
}
