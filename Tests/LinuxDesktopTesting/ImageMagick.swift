import Foundation
import Subprocess

/// Pictures made and looked into by ImageMagick, which is not what the product uses. bin/setup --tests brings it.
package enum ImageMagick {
    package struct Failure: Error {
        let message: String
    }

    /// `arguments` say what to draw, for example `-size 20x10 xc:red`.
    package static func make(_ arguments: [String], as format: String = "png") async throws -> [UInt8] {
        try await convert([], arguments + ["\(format):-"])
    }

    /// Red, green and blue, 0 to 255, of one pixel.
    package static func pixel(x: Int, y: Int, of picture: [UInt8]) async throws -> [UInt8] {
        try await convert(picture, ["-[0]", "-crop", "1x1+\(x)+\(y)", "-alpha", "off", "-depth", "8", "rgb:-"])
    }

    package static func size(of picture: [UInt8]) async throws -> [Int] {
        let text = try await convert(picture, ["-[0]", "-format", "%w %h", "info:-"])
        return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    }

    private static func convert(_ input: [UInt8], _ arguments: [String]) async throws -> [UInt8] {
        let result = try await Subprocess.run(
            .name("convert"),
            arguments: Arguments(arguments),
            input: .array(input),
            output: .bytes(limit: 64 << 20),
            error: .string(limit: 64 << 10)
        )
        guard result.terminationStatus.isSuccess else { throw Failure(message: result.standardError) }
        return result.standardOutput
    }
}
