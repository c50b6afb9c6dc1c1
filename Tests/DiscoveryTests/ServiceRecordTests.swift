import Sealing
import Testing
import Transport

@Suite("Service records", .timeLimit(.minutes(4)))
struct ServiceRecordTests {
    private static let did = "did:key:z6MkExampleA"

    private static func entries(_ entries: String...) -> [[UInt8]] { entries.map { Array($0.utf8) } }

    @Test("what is advertised is what is read back")
    func roundTrip() throws {
        let advertisement = try ServiceAdvertisement(
            deviceID: "9f0c6a1be2d34775a1c0ffee00d15ea5",
            did: DID(Self.did),
            name: "studio-pc",
            port: 9001
        )
        #expect(
            advertisement.text == ["did=\(Self.did)", "ver=1", "path=/", "id=9f0c6a1be2d34775a1c0ffee00d15ea5"]
        )
        let record = try ServiceRecord(entries: advertisement.text.map { Array($0.utf8) })
        #expect(record.deviceID == advertisement.deviceID)
        #expect(record.did == advertisement.did)
        #expect(record.path == "/")
    }

    @Test("keys ignore case, the first of several counts, unknown ones and a missing path are fine")
    func patience() throws {
        let record = try ServiceRecord(
            entries: Self.entries("ID=a", "id=b", "DID=\(Self.did)", "Ver=2", "x", "", "=", "extra=1=2")
        )
        #expect(record.deviceID == "a")
        #expect(record.path == "/")
    }

    @Test(
        "a field that is missing or out of bounds is named",
        arguments: [
            ("id", ["did=did:key:z1", "ver=1"]),
            ("id", ["id=", "did=did:key:z1", "ver=1"]),
            ("id", ["id=a b", "did=did:key:z1", "ver=1"]),
            ("id", ["id=" + String(repeating: "a", count: 129), "did=did:key:z1", "ver=1"]),
            ("id", ["id", "id=a", "did=did:key:z1", "ver=1"]),
            ("did", ["id=a", "ver=1"]),
            ("did", ["id=a", "did=nobody", "ver=1"]),
            ("ver", ["id=a", "did=did:key:z1"]),
            ("ver", ["id=a", "did=did:key:z1", "ver=0"]),
            ("ver", ["id=a", "did=did:key:z1", "ver=one"]),
            ("path", ["id=a", "did=did:key:z1", "ver=1", "path=x"]),
            ("path", ["id=a", "did=did:key:z1", "ver=1", "path=/a b"]),
            ("path", ["id=a", "did=did:key:z1", "ver=1", "path=/\r\nHost: x"]),
            ("TXT record", ["id=a", "did=did:key:z1", "ver=1", "x=" + String(repeating: "a", count: 254)]),
            ("TXT record", Array(repeating: "id=a", count: 33)),
        ]
    )
    func malformed(field: String, entries: [String]) {
        #expect(throws: DiscoveryError.malformedRecord(field: field)) {
            try ServiceRecord(entries: entries.map { Array($0.utf8) })
        }
    }

    @Test("bytes that are not UTF-8 are no value")
    func notText() {
        #expect(throws: DiscoveryError.malformedRecord(field: "did")) {
            try ServiceRecord(entries: Self.entries("id=a", "ver=1") + [Array("did=did:key:z".utf8) + [0xFF]])
        }
    }

    @Test(
        "a name becomes one DNS label of at most 63 bytes, cut between characters",
        arguments: [
            ("studio-pc", "studio-pc"),
            ("a\nb\u{7}c", "abc"),
            ("", "Tandem"),
            (" \n ", "Tandem"),
            (String(repeating: "a", count: 70), String(repeating: "a", count: 63)),
            (String(repeating: "é", count: 32), String(repeating: "é", count: 31)),
            ("a" + String(repeating: "👩‍👩‍👧", count: 4), "a" + String(repeating: "👩‍👩‍👧", count: 3)),
        ]
    )
    func names(name: String, label: String) throws {
        let advertisement = try ServiceAdvertisement(deviceID: "a", did: DID(Self.did), name: name, port: 1)
        #expect(advertisement.name == label)
    }

    @Test("what cannot be advertised is refused")
    func refused() throws {
        let did = try DID(Self.did)
        #expect(throws: DiscoveryError.malformedDeviceID) {
            try ServiceAdvertisement(deviceID: "a=b", did: did, name: "", port: 1)
        }
        #expect(throws: DiscoveryError.malformedPort) {
            try ServiceAdvertisement(deviceID: "a", did: did, name: "", port: 0)
        }
        let long = try DID("did:webwebwebwebweb:" + String(repeating: "e", count: 240))
        #expect(throws: DiscoveryError.didTooLong) {
            try ServiceAdvertisement(deviceID: "a", did: long, name: "", port: 1)
        }
    }

    @Test("addresses are bounded, without repeats, IPv4 first and link-local last")
    func addresses() throws {
        let record = try ServiceRecord(entries: Self.entries("id=a", "did=\(Self.did)", "ver=1"))
        let mixed = ["fe80::1%eth0", "2001:db8::1", "192.168.1.2", "10.0.0.1", "192.168.1.2"]
        let service = DiscoveredService(record: record, name: "a", addresses: mixed, port: 1)
        #expect(service.addresses == ["10.0.0.1", "192.168.1.2", "2001:db8::1", "fe80::1%eth0"])
        let many = DiscoveredService(record: record, name: "a", addresses: (1...99).map { "10.0.0.\($0)" }, port: 1)
        #expect(many.addresses.count == 8)
    }
}
