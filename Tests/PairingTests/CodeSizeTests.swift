import Foundation
import Kernel
import Pairing
import QRCodes
import Sealing
import Testing

@Suite("How much room a code takes", .timeLimit(.minutes(4)))
struct CodeSizeTests {
    private struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let signalingURL: String
        let relayURL: String?
        let bytes: Int
        let lines: Int
    }

    private static let places = [
        Place(
            testDescription: "without a hub",
            name: "studio-pc",
            signalingURL: "ws://192.168.7.20:9001",
            relayURL: nil,
            bytes: 307,
            lines: 33
        ),
        Place(
            testDescription: "with a hub",
            name: "studio-pc",
            signalingURL: "ws://192.168.7.20:9001",
            relayURL: "wss://hub.example.net:9001",
            bytes: 347,
            lines: 35
        ),
        Place(
            testDescription: "with a hub, IPv6 and the longest name",
            name: String(repeating: "Büro ", count: 100),
            signalingURL: "ws://[fd12:3456:789a:bcde:f012:3456:789a:bcde]:9001",
            relayURL: "wss://hub.example.net:9001",
            bytes: 391,
            lines: 37
        ),
    ]

    @Test("a computer's code is as small as its documented fields let it be", arguments: places)
    private func size(place: Place) throws {
        let qr = try DesktopPairingQR(
            code: PairingCode("482915"),
            pcPeerID: "9f0c6a1b-e2d3-4775-a1c0-ffee00d15ea5",
            deviceInfo: PairingDeviceInfo(name: place.name, platform: .linux, version: "1.2.3"),
            createdAt: Date(timeIntervalSince1970: 1_790_000_000),
            signalingURL: URL(string: place.signalingURL),
            relayURL: place.relayURL.flatMap { URL(string: $0) },
            offer: QROffer(identity: Identity())
        )
        #expect(qr.text.utf8.count == place.bytes)
        let side = try #require(QRCapacity.side(forByteCount: qr.text.utf8.count, level: .low))
        let matrix = try QRMatrix(side: side, darkModules: [Bool](repeating: false, count: side * side))
        #expect(QRTerminalRenderer(style: .coloured).lines(for: matrix) == place.lines)
    }

    @Test("a name of five thousand letters is shortened by whole characters, and nobody is refused for it")
    func longName() throws {
        let name = String(repeating: "👩‍👩‍👧é", count: 1250)
        let own = OwnDevice(
            identity: Identity(),
            deviceID: "b1d6c3a2",
            info: PairingDeviceInfo(name: name, platform: .iOS)
        )
        #expect(own.info.name.utf8.count <= 512)
        #expect(name.hasPrefix(own.info.name))
        let qr = try DevicePairingQR(
            code: PairingCode("482915"),
            did: own.identity.did,
            deviceInfo: own.info,
            createdAt: Date(timeIntervalSince1970: 1_790_000_000),
            offer: nil
        )
        #expect(qr.deviceInfo.name == "👩‍👩‍👧é")
    }
}
