import CommandServer
import Commands
import Foundation
import Kernel
import Pictures

extension ClipboardSkill {
    /// Longer texts are announced without their content: whoever wants it asks for it.
    static let eventTextLimit = 64 << 10

    /// The documented members and those of existing programs; the content is always a text.
    func answer(
        _ content: ClipboardContent,
        of offers: ClipboardOffers,
        asked kind: ClipboardKind?,
        imageFormat: PictureFormat
    ) async throws -> JSONValue {
        var answer: [String: JSONValue] = [
            "success": true, "type": .string(content.type), "formats": .array(offers.formats.map { .string($0) }),
            "timestamp": .integer(now().millisecondsSince1970), "content": .string(content.text ?? ""),
        ]
        switch content {
        case .html(_, .some(let plain)): answer["text"] = .string(plain)
        case .files(let files): answer["files"] = .array(files.map { .string($0) })
        case .image(let image): try await add(image, as: imageFormat, to: &answer)
        case .empty where !offers.names.isEmpty:
            answer["error"] = .string("The computer's clipboard holds something else than \(kind?.rawValue ?? "text").")
        case .empty, .unknown, .text, .html(_, .none): break
        }
        // The plain form beside HTML is the first to go.
        if !AnswerSize.fits(.object(answer)) { answer["text"] = nil }
        let size = AnswerSize.bytes(of: .object(answer))
        guard size <= AnswerSize.byteLimit else { throw ClipboardError.doesNotFit(bytes: size) }
        return .object(answer)
    }

    private func add(_ image: [UInt8], as format: PictureFormat, to answer: inout [String: JSONValue]) async throws {
        var wish = PictureFitter.Wish()
        wish.format = format
        wish.mayBecomeJPEG = false
        let (picture, original) = try await fitter.fit(image, wish, within: AnswerSize.pictureBytes(copies: 1))
        answer["content"] = .string(Data(picture.bytes).base64EncodedString())
        answer["imageInfo"] = [
            "width": .integer(Int64(picture.dimensions.width)), "height": .integer(Int64(picture.dimensions.height)),
            "size": .integer(Int64(picture.bytes.count)), "format": .string(picture.format.rawValue),
            "originalWidth": .integer(Int64(original.width)), "originalHeight": .integer(Int64(original.height)),
        ]
        answer["scaled"] = .bool(picture.dimensions != original)
    }

    func change(to content: ClipboardContent, of offers: ClipboardOffers) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "type": .string(content.type), "formats": .array(offers.formats.map { .string($0) }),
            "timestamp": .integer(now().millisecondsSince1970),
        ]
        // What a password manager copied stays where it is until somebody asks for it.
        if !offers.isSecret, let text = content.text, text.utf8.count <= Self.eventTextLimit {
            members["content"] = .string(text)
        }
        return members
    }

    /// What a phone wants there, checked.
    func newContent(_ kind: ClipboardKind, _ params: RemoteParameters) async throws -> ClipboardContent {
        switch kind {
        case .text:
            return .text(try params.text("content", limit: ClipboardReader.textLimit))
        case .html:
            // One kind at a time is all that the systems' tools can offer.
            let html = try params.optionalText("html", limit: ClipboardReader.textLimit)
            let content = try params.optionalText("content", limit: ClipboardReader.textLimit)
            guard let text = [html, content].compactMap(\.self).first(where: { !$0.isEmpty }) else {
                throw RemoteFailure.badParameter("content", "a text of 1 to \(ClipboardReader.textLimit) bytes")
            }
            return .html(text, plain: nil)
        case .image:
            return .image(try await image(params))
        case .files:
            throw RemoteFailure.badParameter("type", "one of text, html, image")
        }
    }

    private func image(_ params: RemoteParameters) async throws -> [UInt8] {
        let limit = ClipboardReader.imageLimit
        let text = try params.text("content", limit: (limit + 2) / 3 * 4 + 64)
        let base64 = text.hasPrefix("data:image/") ? text.drop { $0 != "," }.dropFirst() : text[...]
        guard let data = Data(base64Encoded: String(base64)), !data.isEmpty, data.count <= limit else {
            throw RemoteFailure.badParameter("content", "an image in base64 of at most \(limit >> 20) MiB")
        }
        do {
            let picture = Array(data)
            let size = try await fitter.encoder.dimensions(of: picture)
            let (_, isHuge) = size.width.multipliedReportingOverflow(by: size.height)
            guard !isHuge, size.width * size.height <= PictureError.pixelLimit else {
                throw PictureError.tooLarge(size)
            }
            if PictureFormat(signatureOf: picture) == .png { return picture }
            return try await fitter.encoder.encode(picture, as: .png, quality: 80, maxWidth: nil).bytes
        } catch let error as PictureError {
            throw RemoteFailure(
                code: FailureCode.badParameters,
                message: "The parameter content must be a picture. \(error)"
            )
        }
    }
}
