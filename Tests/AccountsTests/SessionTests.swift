import Accounts
import Control
import Kernel
import KernelTesting
import Principals
import Sealing
import Testing

@testable import AccountsHub

@Suite("People's devices", .timeLimit(.minutes(1)))
struct SessionTests {
    // MARK: Refreshing

    @Test("an access token ends after 15 minutes, and a refresh token brings another")
    func refresh() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("ada")
        rig.clock.advance(by: .seconds(960))
        #expect(await rig.refusal(of: session.accessToken) == .tokenExpired)
        let next: AccountSession = try await rig.post(.refresh, RefreshRequest(refreshToken: session.refreshToken))
            .value()
        #expect(next.device == session.device && next.refreshToken == nil)
        #expect(await rig.refusal(of: next.accessToken) == nil)
        #expect(try await rig.post(.refresh, RefreshRequest(refreshToken: "tdr_x")).code == .tokenKicked)
        #expect(try await rig.post(.refresh, RefreshRequest()).code == .badArguments)
    }

    @Test(
        "a refresh token is replaced after a day; an answer that was lost costs nothing, and the first to be shown counts"
    )
    func succession() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("ada")
        let first = try #require(session.refreshToken)
        rig.clock.advance(by: .seconds(86_400))
        func refresh(_ token: String, at rig: AccountsRig) async throws -> AccountsRig.Reply {
            try await rig.post(.refresh, RefreshRequest(refreshToken: token))
        }
        let lost: AccountSession = try await refresh(first, at: rig).value()
        // The next process knows of both, too.
        let next = try rig.restarted()
        let told: AccountSession = try await refresh(first, at: next).value()
        let second = try #require(told.refreshToken)
        #expect(lost.refreshToken != nil && lost.refreshToken != second)
        #expect(try await refresh(try #require(lost.refreshToken), at: next).code == .tokenKicked)
        #expect(try await refresh(second, at: next).status == 200)
        #expect(try await refresh(first, at: next).code == .tokenKicked)
        #expect(try await refresh(second, at: rig.restarted()).status == 200)
    }

    @Test("a device refreshes with its key alone, until its session is ended")
    func byKey() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        let session = try await rig.register("ada", by: phone)
        let next: AccountSession = try await rig.post(.refresh, rig.signed(RefreshRequest(), by: phone)).value()
        #expect(next.device == session.device && next.refreshToken == nil)
        #expect(try await rig.post(.refresh, rig.signed(RefreshRequest(), by: Identity())).code == .userNotFound)
        #expect(try await rig.post(.logout, token: next.accessToken).status == 200)
        #expect(try await rig.post(.refresh, rig.signed(RefreshRequest(), by: phone)).code == .tokenKicked)
        // A signature for one purpose is none for another.
        let login = try await rig.signed(LoginRequest(device: AccountsRig.phone), by: phone)
        var refresh = RefreshRequest()
        (refresh.did, refresh.challenge, refresh.signature) = (login.did, login.challenge, login.signature)
        #expect(try await rig.post(.refresh, refresh).code == .noPermission)
    }

    // MARK: Listing and ending

    @Test("devices are listed, and one that is ended opens nothing from that moment; its connections are told")
    func end() async throws {
        let rig = try AccountsRig()
        let first = try await rig.register("ada")
        let second: AccountSession = try await rig.login("ada", from: "192.0.2.9").value()
        let list: AccountDeviceList = try await rig.post(.devices, token: first.accessToken).value()
        #expect(list.devices.map(\.device) == [first.device, second.device])
        #expect(list.devices.map(\.address) == ["192.0.2.1", "192.0.2.9"])
        #expect(list.devices.map(\.isCurrent) == [true, false])
        let asker = try await rig.asker(second)
        async let ended: Void = rig.accounts.ended(asker)
        let reply = try await rig.post(.endDevice, EndDeviceRequest(device: second.device), token: first.accessToken)
        #expect(reply.status == 200)
        await ended
        #expect(!rig.accounts.isOpen(asker))
        #expect(await rig.refusal(of: second.accessToken) == .sessionOver)
        #expect(try await rig.post(.refresh, RefreshRequest(refreshToken: second.refreshToken)).code == .tokenKicked)
        // It is told at once that it has ended before.
        await rig.accounts.ended(asker)
        #expect(await rig.refusal(of: first.accessToken) == nil)
        let next = try rig.restarted()
        #expect(await next.refusal(of: second.accessToken) == .sessionOver)
    }

    @Test(
        "the key of a device that was ended from another opens nothing any more; the one of a device that signed out does"
    )
    func endedKey() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        let laptop = try await rig.register("ada")
        let login = LoginRequest(name: "ada", password: AccountsRig.password, device: AccountsRig.phone)
        var session: AccountSession = try await rig.post(.login, rig.signed(login, by: phone)).value()
        #expect(try await rig.post(.logout, token: session.accessToken).status == 200)
        session = try await rig.post(.login, rig.signed(LoginRequest(device: AccountsRig.phone), by: phone)).value()
        let ended = try await rig.post(.endDevice, EndDeviceRequest(device: session.device), token: laptop.accessToken)
        #expect(ended.status == 200)
        let again = try await rig.post(.login, rig.signed(LoginRequest(device: AccountsRig.phone), by: phone))
        #expect(again.code == .userNotFound)
    }

    @Test("a device of somebody else is ended by nobody")
    func foreign() async throws {
        let rig = try AccountsRig()
        let (ada, eve) = (try await rig.register("ada"), try await rig.register("eve"))
        let reply = try await rig.post(.endDevice, EndDeviceRequest(device: ada.device), token: eve.accessToken)
        #expect(reply.status == 404 && reply.code == .notFound)
        let forced = ForceLogoutRequest(userID: "tb_1", platformID: .android)
        #expect(try await rig.post(.forceLogout, forced, token: eve.accessToken).code == .noPermission)
        #expect(await rig.refusal(of: ada.accessToken) == nil)
    }

    @Test("OpenIM's force_logout ends one's own sessions on a platform")
    func forceLogout() async throws {
        let rig = try AccountsRig()
        let phone = try await rig.register("ada")
        let onLinux = LoginRequest(
            name: "ada",
            password: AccountsRig.password,
            device: DeviceDescription(name: "laptop", platformID: .linux)
        )
        let laptop: AccountSession = try await rig.post(.login, onLinux).value()
        let request = ForceLogoutRequest(userID: "tb_1", platformID: .android)
        #expect(try await rig.post(.forceLogout, request, token: laptop.accessToken).status == 200)
        #expect(await rig.refusal(of: phone.accessToken) == .sessionOver)
        #expect(await rig.refusal(of: laptop.accessToken) == nil)
    }

    @Test("a person has 32 devices: the one that was seen longest ago gives way to another")
    func limit() async throws {
        let rig = try AccountsRig()
        let first = try await rig.register("ada")
        rig.clock.advance(by: .seconds(1))
        let second: AccountSession = try await rig.login("ada").value()
        for _ in 0..<30 {
            rig.clock.advance(by: .seconds(1))
            #expect(try await rig.login("ada").status == 200)
        }
        rig.clock.advance(by: .seconds(600))
        #expect(try await rig.post(.refresh, RefreshRequest(refreshToken: first.refreshToken)).status == 200)
        #expect(try await rig.login("ada").status == 200)
        #expect(await rig.refusal(of: first.accessToken) == nil)
        #expect(await rig.refusal(of: second.accessToken) == .sessionOver)
        #expect(rig.accounts.sessions.count == 32)
    }

    @Test("a device that was not seen for 90 days is signed out")
    func idle() async throws {
        let rig = try AccountsRig()
        let first = try await rig.register("ada")
        let second: AccountSession = try await rig.login("ada").value()
        rig.clock.advance(by: .seconds(45 * 86_400))
        #expect(try await rig.post(.refresh, RefreshRequest(refreshToken: first.refreshToken)).status == 200)
        rig.clock.advance(by: .seconds(45 * 86_400 + 1))
        try await rig.accounts.sweep()
        #expect(rig.accounts.sessions.all(of: try #require(UserID(1))).map(\.id) == [first.device])
        #expect(try await rig.post(.refresh, RefreshRequest(refreshToken: second.refreshToken)).code == .tokenKicked)
    }

    @Test("the end of the program ends the wait for the end of a session")
    func close() async throws {
        let rig = try AccountsRig()
        let asker = try await rig.asker(try await rig.register("ada"))
        async let ended: Void = rig.accounts.ended(asker)
        await rig.feature.close()
        await ended
        #expect(rig.accounts.isOpen(asker))
    }
}
