import Accounts
import Control
import GRDB
import Kernel
import KernelTesting
import Sealing
import Storage
import Testing

@testable import AccountsHub

@Suite("Signing in", .timeLimit(.minutes(1)))
struct SignInTests {
    // MARK: By key

    @Test("a device signs in by its key, and its session before ends")
    func key() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        let first = try await rig.register("ada", by: phone)
        let login = try await rig.signed(LoginRequest(device: AccountsRig.phone), by: phone)
        let second: AccountSession = try await rig.post(.login, login).value()
        #expect(second.uid == first.uid && second.device != first.device)
        #expect(await rig.refusal(of: first.accessToken) == .sessionOver)
        let list: AccountDeviceList = try await rig.post(.devices, token: second.accessToken).value()
        #expect(list.devices.map(\.did) == [phone.did.text])
        #expect(list.devices.map(\.isCurrent) == [true])
    }

    @Test("a challenge is good once, for its key, for two minutes and for this hub")
    func challenges() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        _ = try await rig.register("ada", by: phone)
        let request = LoginRequest(device: AccountsRig.phone)
        let once = try await rig.signed(request, by: phone)
        #expect(try await rig.post(.login, once).status == 200)
        #expect(try await rig.post(.login, once).code == .noPermission)
        // One that another hub passed on: its person signed for that hub.
        let relayed = try await rig.signed(request, by: phone, host: "evil.example")
        #expect(try await rig.post(.login, relayed).code == .noPermission)
        let late = try await rig.signed(request, by: phone)
        rig.clock.advance(by: .seconds(120))
        #expect(try await rig.post(.login, late).code == .noPermission)
        // Another key's signature over this key's challenge.
        let told: Challenge = try await rig.post(.challenge, ChallengeRequest(did: phone.did.text)).value()
        var foreign = request
        try foreign.prove(by: Identity(), challenge: told.challenge, host: AccountsRig.host)
        #expect(try await rig.post(.login, foreign).code == .noPermission)
        #expect(try await rig.post(.challenge, ChallengeRequest(did: "did:web:x")).code == .noPermission)
    }

    @Test("a signed request that somebody changed on the way opens nothing")
    func changed() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        _ = try await rig.register("ada", by: phone)
        var login = try await rig.signed(LoginRequest(device: AccountsRig.phone), by: phone)
        login.device = DeviceDescription(name: "Eve's", platformID: .linux)
        #expect(try await rig.post(.login, login).code == .noPermission)
    }

    @Test("a key without an account is told to sign in otherwise")
    func unknownKey() async throws {
        let (rig, phone) = (try AccountsRig(), Identity())
        let login = try await rig.signed(LoginRequest(device: AccountsRig.phone), by: phone)
        #expect(try await rig.post(.login, login).code == .userNotFound)
    }

    @Test("a person with a password adds the key of a device while signing in, or later")
    func addKey() async throws {
        let (rig, phone, tablet) = (try AccountsRig(), Identity(), Identity())
        let session = try await rig.register("ada")
        let login = LoginRequest(name: "ada", password: AccountsRig.password, device: AccountsRig.phone)
        #expect(try await rig.post(.login, rig.signed(login, by: phone)).status == 200)
        #expect(
            try await rig.post(.login, rig.signed(LoginRequest(device: AccountsRig.phone), by: phone)).status == 200
        )
        // The tablet signs, and a device that has a session adds its key.
        let signed = try await rig.signed(KeyRequest(userID: "tb_1"), by: tablet)
        let me: OwnAccount = try await rig.post(.key, signed, token: session.accessToken).value()
        #expect(me.keys == 2)
        let onTablet = try await rig.signed(LoginRequest(device: AccountsRig.phone), by: tablet)
        #expect(try await rig.post(.login, onTablet).status == 200)
    }

    @Test("a key is added to the one account that it signed for, and opens one account only")
    func foreignKey() async throws {
        let (rig, tablet) = (try AccountsRig(), Identity())
        let (ada, bob) = (try await rig.register("ada"), try await rig.register("bob"))
        let forAda = try await rig.signed(KeyRequest(userID: "tb_1"), by: tablet)
        #expect(try await rig.post(.key, forAda, token: bob.accessToken).code == .noPermission)
        let again = try await rig.signed(KeyRequest(userID: "tb_1"), by: tablet)
        #expect(try await rig.post(.key, again, token: ada.accessToken).status == 200)
        let taken = try await rig.signed(KeyRequest(userID: "tb_2"), by: tablet)
        #expect(try await rig.post(.key, taken, token: bob.accessToken).code == .registeredAlready)
        #expect(try await rig.post(.key, KeyRequest(userID: "tb_2"), token: bob.accessToken).code == .badArguments)
    }

    // MARK: By password

    @Test("a wrong password, an unknown name and an account without a password are told alike")
    func alike() async throws {
        let rig = try AccountsRig()
        _ = try await rig.register("ada")
        _ = try await rig.register("bob", by: Identity())
        var told: Set<String> = []
        for name in ["ada", "bob", "nobody", "tb_1"] {
            let reply = try await rig.login(name, password: "wrong horse battery")
            #expect(reply.status == 403)
            told.insert(reply.envelope.errDlt)
        }
        #expect(told.count == 1)
        #expect(try await rig.login("ada", password: "x").envelope.errDlt == told.first)
        #expect(try await rig.login("ADA").status == 200)
    }

    @Test("a password is the same text on every keyboard")
    func normalised() async throws {
        let rig = try AccountsRig()
        let request = RegisterRequest(name: "ada", password: "cafe\u{301} ﬁn de siècle", device: AccountsRig.phone)
        #expect(try await rig.post(.register, request).status == 200)
        #expect(try await rig.login("ada", password: "caf\u{E9} fin de siècle").status == 200)
    }

    @Test("who guesses at a name waits, longer each time; its owner signs in from elsewhere all the while")
    func guesses() async throws {
        let rig = try AccountsRig()
        _ = try await rig.register("ada")
        for _ in 0..<5 { #expect(try await rig.login("ada", password: "wrong horse battery").status == 403) }
        let first = try await rig.login("ada")
        #expect(first.status == 429 && first.fields["Retry-After"] == "10")
        #expect(try await rig.login("ada", from: "192.0.2.2").status == 200)
        rig.clock.advance(by: .seconds(10))
        #expect(try await rig.login("ada", password: "wrong horse battery").status == 403)
        #expect(try await rig.login("ada").fields["Retry-After"] == "20")
        rig.clock.advance(by: .seconds(20))
        #expect(try await rig.login("ada").status == 200)
    }

    @Test("who guesses at many names from one address waits, too")
    func spraying() async throws {
        let rig = try AccountsRig()
        for number in 0..<20 {
            #expect(try await rig.login("name\(number)", password: "wrong horse battery").status == 403)
        }
        #expect(try await rig.login("another", password: "wrong horse battery").status == 429)
    }

    @Test("a hash of an older cost is replaced when its password is known")
    func rehash() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("ada")
        let costly = ScryptParameters(exponent: 5, blockSize: 2, parallelism: 1)
        let next = try rig.restarted(scrypt: costly)
        let person = try await next.asker(session).person
        #expect(try await next.accounts.account(person)?.password?.parameters == AccountsRig.scrypt)
        #expect(try await next.login("ada").status == 200)
        #expect(try await next.accounts.account(person)?.password?.parameters == costly)
        #expect(try await next.login("ada").status == 200)
    }

    @Test("a hash that is made anew does not take the place of a password that was changed meanwhile")
    func rehashLate() async throws {
        let rig = try AccountsRig()
        let person = try await rig.asker(try await rig.register("ada")).person
        let hashing = rig.accounts.passwords
        let old = try #require(try await rig.accounts.account(person)?.password)
        let late = try await hashing.hash(Password(AccountsRig.password), for: "a")
        let changed = try await hashing.hash(Password("another horse battery"), for: "a")
        try await rig.accounts.database.write { database in
            try AccountTables.set(changed, of: person, in: database)
            try AccountTables.replace(old, by: late, of: person, in: database)
        }
        #expect(try await rig.accounts.account(person)?.password == changed)
    }

    @Test("a new password needs the one before, and signs out all other devices")
    func newPassword() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("ada")
        let other: AccountSession = try await rig.login("ada").value()
        let new = "another horse battery"
        for wrong in [PasswordRequest(new: new), PasswordRequest(old: "wrong horse battery", new: new)] {
            #expect(try await rig.post(.password, wrong, token: session.accessToken).code == .noPermission)
        }
        let right = PasswordRequest(old: AccountsRig.password, new: new)
        #expect(try await rig.post(.password, right, token: session.accessToken).status == 200)
        #expect(await rig.refusal(of: other.accessToken) == .sessionOver)
        #expect(await rig.refusal(of: session.accessToken) == nil)
        #expect(try await rig.login("ada").status == 403)
        #expect(try await rig.login("ada", password: new).status == 200)
    }

    @Test("a person with a key sets a first password without one before")
    func firstPassword() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("ada", by: Identity())
        let first = PasswordRequest(new: AccountsRig.password)
        #expect(try await rig.post(.password, first, token: session.accessToken).status == 200)
        #expect(try await rig.login("ada").status == 200)
    }

    @Test("a hash is kept in the form of PHC strings, and one that something changed is none")
    func form() async throws {
        let hashing = PasswordHashing(AccountsRig.scrypt)
        let hash = try await hashing.hash(Password(AccountsRig.password), for: "a")
        #expect(hash.text.hasPrefix("$scrypt$ln=4,r=1,p=1$"))
        #expect(PasswordHash(text: hash.text) == hash)
        #expect(try await hashing.matches(Password(AccountsRig.password), hash, for: "a"))
        #expect(try await !hashing.matches(Password("wrong horse battery"), hash, for: "a"))
        #expect(try await !hashing.matches(Password(AccountsRig.password), nil, for: "a"))
        let rest = hash.text.dropFirst("$scrypt$ln=4,r=1,p=1".count)
        for wrong in [
            "", "x", "$scrypt$ln=30,r=8,p=1\(rest)", "$scrypt$ln=20,r=32,p=16\(rest)", "$scrypt$ln=4,r=1,p=1$a$b",
        ] {
            #expect(PasswordHash(text: wrong) == nil)
        }
        #expect(ScryptParameters.standard.isWithinBounds)
    }

    // MARK: Rates

    @Test("an address that asks too often is told to wait, typed, and others are not")
    func rates() async throws {
        let (rig, did) = (try AccountsRig(), ChallengeRequest(did: Identity().did.text))
        for _ in 0..<60 { #expect(try await rig.post(.challenge, did).status == 200) }
        let reply = try await rig.post(.challenge, did)
        #expect(reply.status == 429 && reply.code == .tooManyRequests && reply.fields["Retry-After"] == "1")
        #expect(try await rig.post(.challenge, did, from: "192.0.2.2").status == 200)
        // The addresses of one IPv6 host are one.
        for number in 1...60 { _ = try await rig.post(.challenge, did, from: "2001:db8::\(number)") }
        #expect(try await rig.post(.challenge, did, from: "2001:db8::1:1").status == 429)
        rig.clock.advance(by: .seconds(1))
        #expect(try await rig.post(.challenge, did).status == 200)
    }

    @Test("a person whose devices ask too often is told to wait, whatever the address")
    func ownRate() async throws {
        let rig = try AccountsRig()
        let session = try await rig.register("ada")
        for number in 0..<120 {
            let reply = try await rig.post(.me, token: session.accessToken, from: "192.0.2.\(number)")
            #expect(reply.status == 200)
        }
        #expect(try await rig.post(.me, token: session.accessToken, from: "198.51.100.1").status == 429)
    }
}
