public import Foundation
import Kernel

/// Pictures of this computer's screen, small enough for an answer. Nothing is written to its disk, whatever a phone asks.
/// Source: `docs/protocol.md`, "Clipboard, screen and system".
public actor ScreenSkill: RemoteSkill {
    /// Each holds a whole screen in memory.
    static let captureLimit = 2
    private static let widths: ClosedRange<Int64> = 16...16_384

    private let screen: any Screen
    private let fitter: PictureFitter
    private let now: @Sendable () -> Date
    private var capturing = 0

    public init(
        screen: any Screen,
        pictures: any PictureEncoder,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.screen = screen
        fitter = PictureFitter(encoder: pictures)
        self.now = now
    }

    public nonisolated var methods: [RemoteMethod] {
        [
            method("display.screenshot") { try await self.capture($0) },
            method("screen.capture") { try await self.capture($0) },
            method("display.list") { _ in try await self.list() },
        ]
    }

    private nonisolated func method(
        _ name: String,
        _ run: @escaping @Sendable (RemoteParameters) async throws -> JSONValue
    ) -> RemoteMethod {
        // What is on the screen is nobody's harmless business, so it is logged.
        RemoteMethod(name, permission: "display", risk: .mutating) { params, _ in
            try await RemoteFailure.answering { try await run(params) }
        }
    }

    private func list() async throws -> JSONValue {
        let displays = JSONValue.array(try await screen.displays().map(\.json))
        return ["success": true, "displays": displays, "total": .integer(Int64(displays.arrayValue?.count ?? 0))]
    }

    private func capture(_ params: RemoteParameters) async throws -> JSONValue {
        let id = Int(try params.optionalInteger("displayId", in: 0...255) ?? 0)
        var wish = PictureFitter.Wish()
        wish.format = try format(params)
        wish.quality = Int(try params.optionalInteger("quality", in: 1...100) ?? 80)
        wish.maxWidth = try params.optionalInteger("maxWidth", in: Self.widths).map { Int($0) }
        let scale = try params.optionalNumber("scale", in: 0.01...1)
        let isCompact = try params.flag("compact")
        guard capturing < Self.captureLimit else { throw ScreenError.busy(limit: Self.captureLimit) }
        capturing += 1
        defer { capturing -= 1 }
        let picture = try await screen.capture(try await display(id))
        if let scale {
            let width = try await fitter.encoder.dimensions(of: picture).width
            wish.maxWidth = min(wish.maxWidth ?? .max, max(1, Int(Double(width) * scale)))
        }
        let limit = AnswerSize.pictureBytes(copies: isCompact ? 1 : 2)
        let fitted = try await fitter.fit(picture, wish, within: limit)
        return answer(fitted.picture, original: fitted.original, wish: wish, displayID: id, isCompact: isCompact)
    }

    private func format(_ params: RemoteParameters) throws(RemoteFailure) -> PictureFormat {
        if try params.optionalText("format", limit: 8)?.lowercased() == "jpg" { return .jpeg }
        return try params.choice("format", of: PictureFormat.self) ?? .png
    }

    /// Nil where displays cannot be listed: then the first one is all there is.
    private func display(_ id: Int) async throws -> Display? {
        let displays: [Display]
        do {
            displays = try await screen.displays()
        } catch is ToolError where id == 0 {
            return nil  // what stops the picture too will say so then
        }
        guard displays.indices.contains(id) else { throw ScreenError.noSuchDisplay(id, count: displays.count) }
        return displays[id]
    }

    /// The documented members and those of existing programs, with the size that the picture really has.
    private func answer(
        _ picture: EncodedPicture,
        original: PictureDimensions,
        wish: PictureFitter.Wish,
        displayID: Int,
        isCompact: Bool
    ) -> JSONValue {
        let text = Data(picture.bytes).base64EncodedString()
        let (width, height) = (Int64(picture.dimensions.width), Int64(picture.dimensions.height))
        let answer: JSONValue = [
            "success": true, "saved": false, "displayId": .integer(Int64(displayID)), "imageBase64": .string(text),
            "format": .string(picture.format.rawValue), "width": .integer(width), "height": .integer(height),
            "dimensions": ["width": .integer(width), "height": .integer(height)],
            "size": .integer(Int64(picture.bytes.count)), "scaled": .bool(picture.dimensions != original),
            "converted": .bool(picture.format != wish.format),
            "originalWidth": .integer(Int64(original.width)), "originalHeight": .integer(Int64(original.height)),
            "timestamp": .integer(now().millisecondsSince1970),
        ]
        guard !isCompact else { return answer }
        let both = answer.adding("data", .string(text))
        let all = both.adding("dataUrl", .string("data:\(picture.format.mimeType);base64,\(text)"))
        return AnswerSize.fits(all) ? all : both
    }
}
