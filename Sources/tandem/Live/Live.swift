import Foundation
import LinuxQRCodes
import QRCodes

/// The one place where this executable's adapters are chosen.
enum Live {
    static let reader: any QRCodeReader = LinuxQRCodeReader()
    static let camera: any QRCamera = LinuxQRCamera()
    static let screen: any ScreenCapturer = LinuxScreenCapturer()
    static let pictureMaker = CodePictures(maker: LinuxQRCodeMaker(), pictures: LinuxQRPictureMaker())
}

/// A pairing code in every form a person can show it.
struct CodePictures {
    let maker: any QRCodeMaker
    let pictures: any QRPictureMaker

    func terminal(_ text: String) throws -> String {
        QRTerminalRenderer(style: .coloured).render(try maker.code(for: text))
    }

    func write(_ text: String, toPNG path: String) async throws {
        let png = try await pictures.png(of: try maker.code(for: text), modulePixels: 6)
        try write(Data(png), to: path)
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
