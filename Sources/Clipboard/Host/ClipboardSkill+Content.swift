import Clipboard
import CommandServer
import Commands
import Kernel
import Pictures

extension ClipboardSkill {
    /// Longer texts are announced without their content: a phone that wants it asks for it.
    static let eventTextLimit = 64 << 10

    /// The answer with the content that was read, as far as one answer holds it.
    func answer(
        _ content: ClipboardContent,
        of offers: ClipboardOffers,
        to query: ClipboardQuery
    ) async throws -> ClipboardReading {
        var answer = ClipboardReading(content, formats: offers.formats, timestamp: time.date.millisecondsSince1970)
        if case .image(let image) = content {
            let wish = PictureFitter.Wish(format: query.imageFormat, mayBecomeJPEG: false)
            let (picture, original) = try await fitter.fit(image, wish, within: AnswerSize.pictureBytes(copies: 1))
            answer.content = .image(picture.bytes)
            answer.image = .init(format: picture.format, dimensions: picture.dimensions, original: original)
        } else if content == .empty, !offers.names.isEmpty {
            answer.reason = "The computer's clipboard holds something else than \(query.kind?.rawValue ?? "text")."
        }
        var size = AnswerSize.bytes(of: answer.wire)
        if size > AnswerSize.byteLimit, case .html(let html, .some) = content {
            // The plain form beside HTML is the first to go.
            answer.content = .html(html, plain: nil)
            size = AnswerSize.bytes(of: answer.wire)
        }
        guard size <= AnswerSize.byteLimit else { throw ClipboardError.doesNotFit(bytes: size) }
        return answer
    }

    /// - Parameter content: Nil for what is larger than is read: it is told that it is there.
    func change(to content: ClipboardContent?, of offers: ClipboardOffers) -> [String: JSONValue] {
        // A password manager's copy stays where it is until a phone asks for it.
        let isShort = (content?.text?.utf8.count ?? 0) <= Self.eventTextLimit
        return ClipboardChange.members(
            type: content?.type ?? offers.kinds.first?.rawValue ?? ClipboardContent.unknown.type,
            text: offers.isSecret || !isShort ? nil : content?.text,
            formats: offers.formats,
            timestamp: time.date.millisecondsSince1970
        )
    }

    /// The content to set there: an image becomes a PNG.
    func checked(_ content: NewClipboardContent) async throws -> ClipboardContent {
        switch content {
        case .text(let text): .text(text)
        case .html(let html): .html(html, plain: nil)
        case .image(let image): .image(try await png(of: image))
        }
    }

    private func png(of picture: [UInt8]) async throws -> [UInt8] {
        do {
            let size = try await fitter.encoder.dimensions(of: picture)
            let (_, isHuge) = size.width.multipliedReportingOverflow(by: size.height)
            guard !isHuge, size.width * size.height <= PictureError.pixelLimit else {
                throw PictureError.tooLarge(size)
            }
            if PictureFormat(signatureOf: picture) == .png { return picture }
            return try await fitter.encoder.encode(picture, as: .png, quality: 80, maxWidth: nil).bytes
        } catch let error as PictureError where error.isOfPicture {
            throw RemoteFailure(
                code: FailureCode.badParameters,
                message: "The parameter content must be a picture. \(error)"
            )
        }
    }
}
