import Foundation
import QRCodes

/// A pairing code in every form a person can show it.
struct CodePictures {
    let maker: any QRCodeMaker
    let pictures: any QRPictureMaker

    func terminal(_ text: String) throws -> String {
        QRTerminalRenderer(style: .coloured).render(try maker.code(for: text))
    }

    func png(_ text: String) async throws -> [UInt8] {
        try await pictures.png(of: try maker.code(for: text), modulePixels: 6)
    }

    func write(_ text: String, toPNG path: String) async throws {
        try write(Data(try await png(text)), to: path)
    }

    func write(_ text: String, toSVG path: String) throws {
        let svg = QRVectorRenderer().render(try maker.code(for: text))
        try write(Data(svg.utf8), to: path)
    }

    private func write(_ data: Data, to path: String) throws {
        // The code holds a secret for five minutes: nobody else on this machine needs to read it.
        let file = URL(fileURLWithPath: path)
        try data.write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
