import Foundation
import LinuxPictures
import LinuxQRCodes
import QRCodes
import Subprocess

/// Texts and pictures the tests share.
enum Samples {
    static let pictures = LinuxPictures()
    static let reader = LinuxQRCodeReader(pictures: pictures)

    /// What a desktop shows, as long as they get: both URLs, key and secret.
    static let pairingText = #"""
        {"code":"482915","deviceInfo":{"name":"studio-pc","platform":"linux","version":"5.0.3"},"e2e":{"pk":"\#
        q1WmJ3pT0dVYx9b2uKfE7sLh4RzNcGa8oQiXwBtUvM0","psk":"Zk3vQ0rT8mYxW2bN5cLsHg","v":1},"pcPeerId":"\#
        9f0c6a1be2d34775a1c0ffee00d15ea5","relayUrl":"wss://signaling.relay.example.net/socket","signalingUrl":"\#
        ws://192.168.107.220:9001","timestamp":1790000000000,"type":"desktop-pairing","note":"for one phone, for five minutes."}
        """#

    static func png(_ text: String, level: QRErrorCorrection = .medium, modulePixels: Int = 4) async throws -> [UInt8] {
        let matrix = try LinuxQRCodeMaker().code(for: text, level: level)
        return try await LinuxQRPictureMaker(pictures: pictures).png(of: matrix, modulePixels: modulePixels)
    }

    /// `picture` as ImageMagick's `convert` changes it. Throws when the program is missing: bin/setup --tests brings it.
    static func converted(_ picture: [UInt8], _ arguments: [String], to format: String) async throws -> [UInt8] {
        let result = try await Subprocess.run(
            .name("convert"),
            arguments: Arguments(["png:-"] + arguments + ["\(format):-"]),
            input: .array(picture),
            output: .bytes(limit: 64 << 20),
            error: .string(limit: 64 << 10)
        )
        guard result.terminationStatus.isSuccess else { throw ToolFailure(message: result.standardError) }
        return result.standardOutput
    }

    struct ToolFailure: Error {
        let message: String
    }
}

extension Samples {
    /// One picture with both, on white.
    static func sideBySide(_ left: [UInt8], _ right: [UInt8]) async throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // a left-over in the temporary folder harms nobody
        let file = folder.appending(path: "right.png")
        try Data(right).write(to: file)
        return try await converted(left, [file.path, "+append"], to: "png")
    }
}
