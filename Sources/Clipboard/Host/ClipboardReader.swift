import Clipboard
import CommandServer
import Foundation

/// Reads a clipboard in bounds, and never anything it did not offer: an owner may answer with something else.
struct ClipboardReader: Sendable {
    static let textLimit = ClipboardLimits.text
    static let imageLimit = ClipboardLimits.image

    let clipboard: any ClipboardAccess

    func offers() async throws -> ClipboardOffers { ClipboardOffers(try await clipboard.offers()) }

    /// - Parameters:
    ///   - kind: Nil for the richest kind there is.
    ///   - offers: What is offered now.
    /// - Throws: ``ClipboardError`` for what is too large.
    func read(_ kind: ClipboardKind?, of offers: ClipboardOffers) async throws -> ClipboardContent {
        guard !offers.names.isEmpty else { return .empty }
        guard let wanted = kind ?? offers.kinds.first else { return .unknown }
        switch wanted {
        case .text:
            let text = try await text(.text, of: offers)
            return text.map { .text($0) } ?? .empty
        case .html:
            guard let html = try await text(.html, of: offers) else { return .empty }
            // The HTML is what was asked for: a plain form too large to add is left out.
            let plain = try? await text(.text, of: offers)
            return .html(html, plain: plain)
        case .image:
            let image = try await bytes(.image, of: offers, limit: Self.imageLimit)
            return image.map { .image($0) } ?? .empty
        case .files:
            let files = try await text(.files, of: offers).map(Self.files)
            return files.map { .files($0) } ?? .empty
        }
    }

    private func text(_ kind: ClipboardKind, of offers: ClipboardOffers) async throws -> String? {
        guard let bytes = try await bytes(kind, of: offers, limit: Self.textLimit) else { return nil }
        return Self.text(bytes, isLatin1: offers.best(for: kind) == "STRING")
    }

    /// Nil when there is none.
    private func bytes(_ kind: ClipboardKind, of offers: ClipboardOffers, limit: Int) async throws -> [UInt8]? {
        guard let offer = offers.best(for: kind) else { return nil }
        do {
            let bytes = try await clipboard.read(offer, limit: limit)
            return bytes.isEmpty ? nil : bytes
        } catch ToolError.outputTooLarge {
            throw kind == .image
                ? ClipboardError.imageTooLarge(limit: limit) : ClipboardError.textTooLarge(limit: limit)
        }
    }

    /// X11's plain STRING is Latin-1, some programs give HTML as UTF-16 with its mark, everything else is UTF-8.
    static func text(_ bytes: [UInt8], isLatin1: Bool) -> String? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return String(bytes: bytes, encoding: .utf16)
        }
        let isText = String(validating: bytes, as: UTF8.self)
        if isText == nil, isLatin1 { return String(bytes: bytes, encoding: .isoLatin1) }
        return isText ?? String(decoding: bytes, as: UTF8.self)
    }

    /// One URI a line; GNOME's own list begins with what to do with them.
    private static func files(_ list: String) -> [String] {
        list.split(whereSeparator: \.isNewline).map(String.init)
            .filter { !$0.hasPrefix("#") && $0 != "copy" && $0 != "cut" }
    }
}
