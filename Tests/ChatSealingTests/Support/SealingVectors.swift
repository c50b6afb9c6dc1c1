import Foundation
import Kernel
import Sealing
import Testing

@testable import ChatSealing

/// The vectors of `docs/protocol.md` 2.10: fixed keys, fixed randomness.
struct SealingVectors {
    let json: JSONValue

    init() throws {
        let url = try #require(
            Bundle.module.url(forResource: "sealed-vectors", withExtension: "json", subdirectory: "Fixtures")
        )
        json = try JSONValue(parsing: [UInt8](Data(contentsOf: url)))
    }

    func value(_ path: String...) throws -> JSONValue { try value(at: path) }

    func text(_ path: String...) throws -> String { try #require(value(at: path).stringValue) }

    func hex(_ path: String...) throws -> [UInt8] {
        let text = try #require(value(at: path).stringValue)
        return try #require(Hexadecimal.decode(text))
    }

    private func value(at path: [String]) throws -> JSONValue {
        try path.reduce(json) { value, key in try #require(value[key]) }
    }

    func chain(_ name: String) throws -> AccountChain {
        let entries = try #require(try value("chains", name, "entries").arrayValue)
        return try AccountChain(entries.map { try ChainEntry($0) })
    }

    func identity(_ device: String) throws -> Identity {
        try Identity(signingSeed: hex("devices", device, "seed"), agreementSecret: [UInt8](repeating: 5, count: 32))
    }

    func key(_ device: String) throws -> ChatKeyPair {
        try ChatKeyPair(secretBytes: hex("keys", device, "secret"), madeAt: bundle(device).made)
    }

    func bundle(_ device: String) throws -> KeyBundle { try KeyBundle(value("keys", device, "bundle")) }
}
