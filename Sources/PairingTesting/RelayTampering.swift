import Foundation
import Kernel
import KernelTesting
import Pairing
import Sealing

/// A hostile relay's changes to one message.
enum RelayTampering {
    /// Points of low order, with which an attacker would know the shared secret.
    private static let weakPoints: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    ]

    static func change(
        _ payload: JSONValue,
        for attacker: OwnDevice,
        using generator: inout SeededGenerator
    ) -> JSONValue {
        guard var members = payload.objectValue else { return payload }
        var seal = members["e2e"]?.objectValue ?? [:]
        var code = seal["cp"]?.objectValue ?? [:]
        let weak = JSONValue.string(Base64URL.encode(weakPoints.randomElement(using: &generator) ?? []))
        switch Int.random(in: 0..<11, using: &generator) {
        case 0: members["mobileDid"] = .string(attacker.identity.did.text)
        case 1: members["pcPeerId"] = .string(attacker.deviceID)
        case 2: members["e2e"] = nil  // downgraded
        case 3: members["deviceInfo"] = ["name": "Mallory", "platform": "linux", "deviceId": "mallory"]
        case 4: members["pairingCode"] = "000000"
        case 5: seal["hs"] = changedBytes(seal["hs"], using: &generator)
        case 6: seal["hs"] = withWeakPoint(seal["hs"], weak: weakPoints.randomElement(using: &generator) ?? [])
        case 7: code["y"] = weak
        case 8: code["y"] = .string(Base64URL.encode(Identity().agreementKey.bytes))
        case 9: for key in ["n", "c", "r", "t"] { code[key] = code[key].map { changedBytes($0, using: &generator) } }
        default: seal["ct"] = changedBytes(seal["ct"], using: &generator)
        }
        if members["e2e"] != nil {
            if seal["cp"] != nil { seal["cp"] = .object(code) }
            members["e2e"] = .object(seal)
        }
        return .object(members)
    }

    /// Makes a message that no peer sent.
    static func forgery(
        answering payload: JSONValue,
        for attacker: OwnDevice,
        using generator: inout SeededGenerator
    ) -> JSONValue {
        let code = payload["pairingCode"] ?? "000000"
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            return [
                "type": "pairing:confirmation", "pairingCode": code, "pcPeerId": "mallory",
                "deviceInfo": ["name": "studio-pc", "platform": "linux"], "timestamp": 1_790_000_000_000,
            ]
        case 1:
            return [
                "type": "pair-ack", "pairingCode": code, "mobileDid": .string(attacker.identity.did.text),
                "deviceInfo": ["deviceId": "mallory", "name": "My iPhone", "platform": "ios"],
                "timestamp": 1_790_000_000_000,
            ]
        case 2:
            return [
                "type": "pair-ack", "pairingCode": code, "mobileDid": .string(attacker.identity.did.text),
                "deviceInfo": ["deviceId": "mallory", "name": "My iPhone", "platform": "ios"],
                "timestamp": 1_790_000_000_000, "e2e": ["v": 1, "hs": .string(noise(96, using: &generator))],
            ]
        default:
            return [
                "type": "pairing:e2e", "pairingCode": code,
                "e2e": ["v": 1, "hs": .string(noise(64, using: &generator))],
            ]
        }
    }

    private static func noise(_ count: Int, using generator: inout SeededGenerator) -> String {
        Base64URL.encode((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    private static func changedBytes(_ value: JSONValue?, using generator: inout SeededGenerator) -> JSONValue? {
        value.map { changedBytes($0, using: &generator) }
    }

    private static func changedBytes(_ value: JSONValue, using generator: inout SeededGenerator) -> JSONValue {
        guard var bytes = value.stringValue.flatMap({ Base64URL.decode($0) }), !bytes.isEmpty else { return value }
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        return .string(Base64URL.encode(bytes))
    }

    /// The message with a weak point as the sender's ephemeral key, with which a Noise message begins.
    private static func withWeakPoint(_ value: JSONValue?, weak: [UInt8]) -> JSONValue? {
        guard let bytes = value?.stringValue.flatMap({ Base64URL.decode($0) }), bytes.count >= 32 else { return value }
        return .string(Base64URL.encode(weak + bytes.dropFirst(32)))
    }
}
