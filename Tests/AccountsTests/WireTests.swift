import Accounts
import Kernel
import Sealing
import Testing

@Suite("The wire of accounts", .timeLimit(.minutes(1)))
struct WireTests {
    @Test("an answer and a failure have the envelope of OpenIM")
    func envelope() throws {
        let answer = try JSONValue(encoding: IMEnvelope(["uid": 7]))
        #expect(answer == ["errCode": 0, "errMsg": "", "errDlt": "", "data": ["uid": 7]])
        let failure = try JSONValue(encoding: IMEnvelope(IMFailure(.notFound)))
        #expect(
            failure == [
                "errCode": 1004, "errMsg": "RecordNotFoundError", "errDlt": ": 1004 RecordNotFoundError",
            ]
        )
    }

    @Test("a failure keeps its sentence over the wire, and one of another hub its code")
    func failure() throws {
        let told = IMFailure(.noPermission, detail: "No: not today.")
        #expect(throws: told) { try Self.again(IMEnvelope(told)).result() }
        let named = IMFailure(.noPermission, detail: "No: not today.", reason: "closed")
        #expect(throws: named) { try Self.again(IMEnvelope(named)).result() }
        let odd: JSONValue = ["errCode": 4711, "errMsg": "OddError", "errDlt": "", "reason": 7]
        #expect(throws: IMFailure(IMErrorCode(rawValue: 4711))) { try odd.decode(as: IMEnvelope.self).result() }
        let foreign: JSONValue = ["errCode": 4711, "errMsg": "OddError", "errDlt": "odd: 4711 OddError"]
        #expect(throws: IMFailure(IMErrorCode(rawValue: 4711), detail: "odd")) {
            try foreign.decode(as: IMEnvelope.self).result()
        }
        #expect(try JSONValue.object(["errCode": 0]).decode(as: IMEnvelope.self).result() == [:])
    }

    @Test(
        "codes have the names that OpenIM gives them",
        arguments: [
            (500, "ServerInternalError"), (1001, "ArgsError"), (1002, "NoPermissionError"), (1003, "DuplicateKeyError"),
            (1501, "TokenExpiredError"), (1502, "TokenInvalidError"), (1503, "TokenMalformedError"),
            (1504, "TokenNotValidYetError"), (1505, "TokenUnknownError"), (1506, "TokenKickedError"),
            (1507, "TokenNotExistError"),
        ]
    )
    func names(code: Int, name: String) {
        #expect(IMErrorCode(rawValue: code).name == name)
    }

    @Test("a platform that this version does not know survives a decode and re-encode")
    func platforms() throws {
        #expect(try JSONValue.integer(42).decode(as: PlatformID.self) == PlatformID(rawValue: 42))
        #expect(try JSONValue(encoding: PlatformID(rawValue: 42)) == 42)
        #expect("\(PlatformID.linux)" == "Linux")
    }

    @Test("a name is read as a person types it", arguments: [("ada", "ada"), ("Ada.L-1_x", "ada.l-1_x"), ("7a", "7a")])
    func name(typed: String, name: String) {
        #expect(AccountName(typed)?.text == name)
    }

    @Test(
        "what is no name is refused, and what reads as an id too",
        arguments: [
            "", ".ada", "-a", "a b", "ädä", "аda", "7", "007", "tb_7", "TB_ada", String(repeating: "a", count: 65),
            "a/b",
            "a\n",
        ]
    )
    func noName(typed: String) {
        #expect(AccountName(typed) == nil)
    }

    @Test("a code of an invitation is read with the spaces and dashes of people")
    func code() {
        #expect(InvitationCode("482 913-730 655")?.digits == "482913730655")
        #expect(InvitationCode("482913730655")?.description == "482 913 730 655")
        for wrong in ["", "48291373065", "4829137306555", "48291373065x", "４８２９１３７３０６５５"] {
            #expect(InvitationCode(wrong) == nil)
        }
        let made = (0..<50).map { _ in InvitationCode.random() }
        #expect(Set(made).count == 50)
        #expect(made.allSatisfy { InvitationCode($0.digits) == $0 })
    }

    @Test("a link of an invitation is read back, and others are not")
    func link() throws {
        let code = try #require(InvitationCode("482913730655"))
        let link = InvitationLink(hub: "wss://hub.example:9001/?a=b&c=d", code: code)
        #expect(InvitationLink(text: link.text) == link)
        #expect(
            InvitationLink(hub: "wss://hub.example", code: code).text
                == "tandem-account://join?hub=wss%3A%2F%2Fhub.example&c=482913730655"
        )
        let page = InvitationLink(hub: "wss://hub.example:9001", code: code)
        #expect(page.text(at: "https://hub.example:9001/phone/") == "https://hub.example:9001/phone/#join=482913730655")
        #expect(InvitationLink(text: page.text(at: "https://hub.example:9001/phone/")) == page)
        #expect(InvitationLink(text: "http://127.0.0.1:9001/phone/#join=482913730655")?.hub == "ws://127.0.0.1:9001")
        for wrong in [
            "https://hub.example/phone/", "https://hub.example/#join=482913730655", "https:///phone/#join=482913730655",
            "https://hub.example/phone/#join=4829", "https://ada@hub.example/phone/#join=482913730655",
            "https://hub.example/phone/?x#join=482913730655", "ftp://hub.example/phone/#join=482913730655",
            "", "https://join?hub=wss%3A%2F%2Fh&c=482913730655",
            "tandem-account://join?hub=javascript%3Ax&c=482913730655",
            "tandem-account://join?hub=wss%3A%2F%2Fh&c=1", "tandem-account://join?c=482913730655",
            "tandem-account://other?hub=wss%3A%2F%2Fh&c=482913730655",
            "tandem-account://join?hub=wss%3A%2F%2Fuser%40h&c=482913730655",
            "tandem-account://join?hub=wss%3A%2F%2Fh&c=482913730655&x=" + String(repeating: "x", count: 1024),
        ] {
            #expect(InvitationLink(text: wrong) == nil)
        }
    }

    @Test("a proof opens one purpose at one hub for one request, and nothing else")
    func proof() throws {
        let identity = Identity()
        let request: JSONValue = ["name": "ada", "device": ["name": "phone", "platformID": 2]]
        let signature = try AccountProof.sign(
            request,
            for: .login,
            challenge: "c",
            host: "Hub.example",
            identity: identity
        )
        func verify(
            _ signature: [UInt8],
            _ request: JSONValue,
            _ purpose: AccountProof.Purpose = .login,
            challenge: String = "c",
            host: String = "hub.example",
            did: DID? = nil
        ) throws {
            try AccountProof.verify(
                signature,
                of: request,
                for: purpose,
                challenge: challenge,
                host: host,
                did: did ?? identity.did
            )
        }
        try verify(signature, request)
        // The proof's own members are not covered, or it could not stand beside the others.
        try verify(signature, request.adding("signature", "x").adding("did", "y").adding("challenge", "z"))
        let expected = SealingError.identityNotProven
        #expect(throws: expected) { try verify(signature, request.adding("name", "eve")) }
        #expect(throws: expected) { try verify(signature, request.adding("more", 1)) }
        #expect(throws: expected) { try verify(signature, request, .register) }
        #expect(throws: expected) { try verify(signature, request, challenge: "d") }
        #expect(throws: expected) { try verify(signature, request, host: "other.example") }
        #expect(throws: expected) { try verify(signature, request, host: "") }
        #expect(throws: expected) { try verify(signature, request, did: Identity().did) }
        #expect(throws: expected) { try verify(Array(signature.dropLast()), request) }
    }

    @Test("the signature of the protocol's worked example is ours")
    func example() throws {
        let identity = try Identity(
            signingSeed: [UInt8](repeating: 0, count: 31) + [1],
            agreementSecret: [UInt8](repeating: 2, count: 32)
        )
        var request = RegisterRequest(
            name: "ada",
            device: DeviceDescription(name: "phone", platformID: .android),
            invitation: "482913730655"
        )
        try request.prove(
            by: identity,
            challenge: "CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg",
            host: "hub.example:9001"
        )
        #expect(request.did == "did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG")
        #expect(
            request.signature
                == "szZLKDBqMFmZhiuv6jcWo_5GXUGF-E-55qW4avygsX0YGtfoCBbnPa1E5bgJ-Ynd21sxK42yexEK5nee-3MDCw"
        )
    }

    private static func again(_ envelope: IMEnvelope) throws -> IMEnvelope {
        try JSONValue(encoding: envelope).decode(as: IMEnvelope.self)
    }
}
