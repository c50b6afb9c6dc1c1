import Foundation
import QRCodes

/// A pairing code in every form a person can show it.
struct CodePictures {
    let maker: any QRCodeMaker
    let pictures: any QRPictureMaker

    /// The smallest code that holds the text, for a terminal, where a line counts more than a scratch.
    func terminalMatrix(_ text: String) throws -> QRMatrix { try maker.code(for: text, level: .low) }

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
        try PrivateFile.write(data, to: path)
    }
}
