import Crypto
import Foundation
import Kernel
import SwiftASN1
import Testing
import WebClient
import X509

@testable import ACME

@Suite("ACME's values")
struct WireTests {
    @Test("a key's thumbprint is RFC 7638's example")
    func thumbprint() {
        let key = [
            "kty": "RSA", "e": "AQAB",
            "n":
                "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMst"
                + "n64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1"
                + "n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw",
        ]
        #expect(WebKeyThumbprint.of(key) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test("an account's key is written as RFC 7515's example of ES256")
    func webKey() throws {
        let secret = try #require(Base64URL.decode("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"))
        let key = try AccountKey(pem: P256.Signing.PrivateKey(rawRepresentation: secret).pemRepresentation)
        #expect(
            key.webKey == [
                "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
            ]
        )
        let token = try #require(ChallengeToken("evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA"))
        #expect(key.keyAuthorization(for: token) == "\(token.text).\(WebKeyThumbprint.of(key.webKey))")
    }

    @Test("a request names its address, its nonce and its signer, and is signed")
    func signature() throws {
        let key = AccountKey()
        let url = try WebURL("https://authority.test/new-order")
        let nonce = try #require(Nonce("5XJ1L3lEkMG7tR6pA00clA"))
        let account = try WebURL("https://authority.test/account/1")
        let body = try key.sign(["a": "b"], to: url, nonce: nonce, as: .account(account))
        let value = try JSONValue(parsing: body)
        let protected = try #require(value["protected"]?.stringValue)
        let payload = try #require(value["payload"]?.stringValue)
        let head = try JSONValue(parsing: try #require(Base64URL.decode(protected)))
        #expect(
            head == [
                "alg": "ES256", "nonce": "5XJ1L3lEkMG7tR6pA00clA", "url": "https://authority.test/new-order",
                "kid": "https://authority.test/account/1",
            ]
        )
        #expect(Base64URL.decode(payload).map { String(decoding: $0, as: UTF8.self) } == #"{"a":"b"}"#)
        let text = try #require(value["signature"]?.stringValue)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Base64URL.decode(text)))
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(protected).\(payload)".utf8)))

        let asGet = try JSONValue(parsing: key.sign(nil, to: url, nonce: nonce, as: .key))
        #expect(asGet["payload"] == "")
        let first = try JSONValue(parsing: try #require(Base64URL.decode(asGet["protected"]?.stringValue ?? "")))
        #expect(first["jwk"] == .object(key.webKey.mapValues(JSONValue.string)))
        #expect(first["kid"] == nil)
    }

    @Test(
        "a nonce and a token are base64url of a bounded length",
        arguments: ["", "a b", "a=", "ä", "a/b", "..", String(repeating: "a", count: 257)]
    )
    func malformed(text: String) {
        #expect(Nonce(text) == nil)
        #expect(ChallengeToken(text) == nil)
    }

    @Test("a certificate is for names that the whole internet can look up")
    func names() throws {
        #expect(try CertificateName("Hub.Example.ORG.").text == "hub.example.org")
        #expect(try CertificateName("xn--bcher-kva.example").text == "xn--bcher-kva.example")
        #expect(try CertificateName("hub.lan", allowsLocal: true).text == "hub.lan")
        let refused: [(String, ACMEError.NameFault)] = [
            ("*.example.org", .wildcard), ("192.0.2.1", .address), ("[2001:db8::1]", .address),
            ("2001:db8::1", .address),
            ("hub", .local), ("hub.local", .local), ("a.localhost", .local), ("", .malformed), ("a..b.org", .malformed),
            ("-a.org", .malformed), ("a b.org", .malformed), ("a.org/x", .malformed), ("a.org:443", .malformed),
            ("bücher.example", .notASCII), (String(repeating: "a", count: 64) + ".org", .malformed),
            (String(repeating: "a.", count: 127) + "org", .malformed), ("1.2.3", .malformed),
        ]
        for (text, fault) in refused {
            #expect(throws: ACMEError.badName(String(text.prefix(80)), fault)) { try CertificateName(text) }
        }
    }

    @Test("settings that name no mail address, no authority or too many names are refused")
    func configuration() throws {
        let made = try ACMEConfiguration(names: ["b.example.org", "A.example.org", "b.example.org"])
        #expect(made.names.map(\.text) == ["a.example.org", "b.example.org"])
        #expect(made.directory.text == ACMEConfiguration.letsEncrypt)
        for contact in ["", "me", "a@b", "a@b.org,c@d.org", "mailto:a@b.org", "a@b.org?x"] {
            #expect(throws: ACMEError.badContact(contact)) {
                try ACMEConfiguration(names: ["a.example.org"], contact: contact)
            }
        }
        for directory in ["", "http://authority.test/dir", "authority.test"] {
            #expect(throws: ACMEError.badDirectory(directory)) {
                try ACMEConfiguration(names: ["a.example.org"], directory: directory)
            }
        }
        #expect(throws: ACMEError.tooManyNames(limit: 20)) {
            try ACMEConfiguration(names: (0..<21).map { "a\($0).example.org" })
        }
    }

    @Test("a request for a certificate has the names, and is signed by the certificate's key")
    func certificateRequest() throws {
        let key = P256.Signing.PrivateKey()
        let names = try ["a.example.org", "b.example.org"].map { try CertificateName($0) }
        let request = try CertificateSigningRequest(derEncoded: CertificateRequest.der(for: names, key: key))
        #expect(request.subject.isEmpty)
        #expect(request.publicKey.isValidSignature(request.signature, for: request))
        #expect(P256.Signing.PublicKey(request.publicKey)?.rawRepresentation == key.publicKey.rawRepresentation)
        let extensions = try #require(try request.attributes.extensionRequest).extensions
        #expect(
            try extensions.subjectAlternativeNames.map(Array.init) == [
                .dnsName("a.example.org"), .dnsName("b.example.org"),
            ]
        )
    }

    @Test("a handshake's proof has the name alone, and the key authorization's hash in a critical extension")
    func proof() throws {
        let made = try ProofCertificate(
            name: CertificateName("hub.example.org"),
            keyAuthorization: "token.thumbprint",
            now: Date(timeIntervalSince1970: 1_790_000_000)
        )
        let certificate = try Certificate(derEncoded: made.certificate)
        #expect(try certificate.extensions.subjectAlternativeNames.map(Array.init) == [.dnsName("hub.example.org")])
        // id-pe-acmeIdentifier, RFC 8737 section 6.1.
        let identifier = try #require(certificate.extensions[oid: [1, 3, 6, 1, 5, 5, 7, 1, 31]])
        #expect(identifier.critical)
        #expect(Array(identifier.value) == [0x04, 0x20] + Array(SHA256.hash(data: Data("token.thumbprint".utf8))))
        let key = try P256.Signing.PrivateKey(pemRepresentation: made.key)
        #expect(certificate.publicKey == Certificate.PublicKey(key.publicKey))
    }

    @Test("an order and an authorization are read as RFC 8555 writes them")
    func resources() throws {
        let order = try ACMEOrder(
            Array(
                """
                {"status": "valid", "expires": "2016-01-20T14:09:07.99Z",
                 "identifiers": [{ "type": "dns", "value": "www.example.org" }, { "type": "dns", "value": "example.org" }],
                 "notBefore": "2016-01-01T00:00:00Z", "notAfter": "2016-01-08T00:00:00Z",
                 "authorizations": ["https://example.com/acme/authz/PAniVnsZcis", "https://example.com/acme/authz/r4HqLzrSrpI"],
                 "finalize": "https://example.com/acme/order/TOlocE8rfgo/finalize",
                 "certificate": "https://example.com/acme/cert/mAt3xBGaobw"}
                """.utf8
            ),
            of: "example.com"
        )
        #expect(order.status == .valid)
        #expect(
            order.authorizations.map(\.text) == [
                "https://example.com/acme/authz/PAniVnsZcis", "https://example.com/acme/authz/r4HqLzrSrpI",
            ]
        )
        #expect(order.certificate?.text == "https://example.com/acme/cert/mAt3xBGaobw")

        let authorization = try ACMEAuthorization(
            Array(
                """
                {"status": "pending", "expires": "2016-01-02T14:09:30Z", "identifier": { "type": "dns", "value": "www.example.org" },
                 "challenges": [
                   { "type": "http-01", "url": "https://example.com/acme/chall/prV_B7yEyA4", "token": "DGyRejmCefe7v4NfDGDKfA" },
                   { "type": "dns-01", "url": "https://example.com/acme/chall/Rg5dV14Gh1Q", "token": "DGyRejmCefe7v4NfDGDKfA" },
                   { "type": "of-the-future" }]}
                """.utf8
            ),
            of: "example.com"
        )
        #expect(authorization.name == "www.example.org")
        #expect(authorization.challenges.map(\.kind) == ["http-01", "dns-01"])
        #expect(authorization.challenges.first?.token == ChallengeToken("DGyRejmCefe7v4NfDGDKfA"))
    }

    @Test("a refusal is read as RFC 8555 writes it, bounded and in one row")
    func problem() throws {
        let value = try JSONValue(
            parsing: Array(
                """
                {"type": "urn:ietf:params:acme:error:rejectedIdentifier", "detail": "Some of the identifiers\\nrequested were rejected",
                 "subproblems": [
                   {"type": "urn:ietf:params:acme:error:rejectedIdentifier", "detail": "no",
                    "identifier": {"type": "dns", "value": "_example.org"}}]}
                """.utf8
            )
        )
        let problem = ACMEProblem(try #require(value.objectValue))
        #expect(problem.kind == .rejectedIdentifier)
        #expect(problem.detail == "Some of the identifiers\\nrequested were rejected")
        #expect(problem.names == ["_example.org"])
        let other = ACMEProblem(["type": "about:blank", "detail": .string(String(repeating: "a", count: 10_000))])
        #expect(other.kind == .other("about:blank"))
        #expect(other.detail.count == 300)
    }

    @Test("an order whose addresses are not of https, or more than anyone asked for, is no order")
    func hostileOrder() {
        let many = (0..<21).map { "\"https://a.test/\($0)\"" }.joined(separator: ",")
        for body in [
            "[]", "{}", "nonsense",
            #"{"status":"pending","finalize":"http://a.test/f","authorizations":[]}"#,
            #"{"status":"pending","finalize":"https://a.test/f","authorizations":["ftp://a.test"]}"#,
            #"{"status":"pending","finalize":"https://a.test/f","authorizations":[\#(many)]}"#,
            #"{"status":1,"finalize":"https://a.test/f","authorizations":[]}"#,
        ] {
            #expect(throws: ACMEError.self) { try ACMEOrder(Array(body.utf8), of: "a.test") }
        }
    }

    @Test("an authority's wait is seconds or a date, and never longer than a week")
    func retryAfter() {
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(RetryAfter.parse("120", now: now) == now.addingTimeInterval(120))
        #expect(RetryAfter.parse("Sun, 06 Nov 1994 08:50:37 GMT", now: now) == now.addingTimeInterval(60))
        #expect(RetryAfter.parse("Sun, 06 Nov 1994 07:00:00 GMT", now: now) == now)
        #expect(RetryAfter.parse("99999999999999999999", now: now) == now.addingTimeInterval(7 * 86_400))
        for text in ["", "-1", "soon", "1.5", String(repeating: "1", count: 41)] {
            #expect(RetryAfter.parse(text, now: now) == nil)
        }
    }

    @Test("a chain is certificates in PEM, and a bounded number of them")
    func chain() throws {
        let authority = try TestAuthority()
        let key = P256.Signing.PrivateKey()
        let text = try authority.chain(for: key.publicKey, names: ["hub.example.org"], from: Date(), life: 3600)
        let chain = try #require(CertificateChain(text))
        #expect(chain.names == ["hub.example.org"])
        #expect(chain.isFor(key.publicKey))
        #expect(!chain.isFor(P256.Signing.PrivateKey().publicKey))
        #expect(chain.covers([try CertificateName("hub.example.org")]))
        #expect(!chain.covers([try CertificateName("other.example.org")]))
        for bad in [
            "", "nonsense", key.pemRepresentation, String(text.dropLast(100)), String(repeating: text, count: 6),
        ] {
            #expect(CertificateChain(bad) == nil)
        }
    }
}
