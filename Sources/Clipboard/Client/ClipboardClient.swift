public import Commands
public import Pictures

/// The clipboard of a paired computer.
///
/// Each call throws ``RemoteFailure`` when the computer refused, and ``RemoteError`` when no answer came or it could not be read.
public struct ClipboardClient: Sendable {
    private let peer: any Peer

    public init(_ peer: any Peer) { self.peer = peer }

    /// Reads the clipboard.
    ///
    /// - Parameters:
    ///   - kind: Nil for the richest there is.
    ///   - imageFormat: How an image is to be written.
    public func read(_ kind: ClipboardKind? = nil, imageFormat: PictureFormat = .png) async throws -> ClipboardReading {
        try await peer.call(ClipboardMethods.get, ClipboardQuery(kind, imageFormat: imageFormat))
    }

    /// Nil when there is no text.
    public func text() async throws -> String? { try await read(.text).content.text }

    /// Nil when there is no HTML.
    public func html() async throws -> String? {
        guard case .html(let html, _) = try await read(.html).content else { return nil }
        return html
    }

    /// A picture's file, made smaller where it is too large for an answer. Nil when there is no image.
    public func image(_ format: PictureFormat = .png) async throws -> [UInt8]? {
        guard case .image(let image) = try await read(.image, imageFormat: format).content else { return nil }
        return image
    }

    /// Copies something at the computer.
    ///
    /// - Throws: Also ``RemoteError/invalidArgument(_:)``, before anything is sent, for what is empty or larger than ``ClipboardLimits``.
    @discardableResult
    public func set(_ content: NewClipboardContent) async throws -> ClipboardWritten {
        do {
            try ClipboardMethods.set.declaration.check(content.wire)
        } catch {
            throw RemoteError.invalidArgument("\(error)")
        }
        return try await peer.call(ClipboardMethods.set, content)
    }

    /// Lets the computer tell of what is copied there, until ``unwatch()``. It forgets that when it cannot reach this device while something
    /// changes: ask again once it is reached.
    ///
    /// - Throws: Also ``RemoteFailure`` with ``FailureCode/busy`` when 16 devices watch already.
    @discardableResult
    public func watch() async throws -> ClipboardWatch { try await peer.call(ClipboardMethods.watch) }

    /// Ends what ``watch()`` began. The stream of ``changes()`` stays open and tells nothing more.
    public func unwatch() async throws { _ = try await peer.call(ClipboardMethods.unwatch) }

    /// Changes of the computer's clipboard from now on, but not those that this device sets. They are told only while the computer is asked to
    /// ``watch()``; ask for the changes first, so that none is missed. A slow reader misses the oldest.
    public func changes() async throws -> some AsyncSequence<ClipboardChange, Never> & Sendable {
        try await peer.events().compactMap { ClipboardChange($0) }
    }

    /// The clipboard's history, the newest first. Empty unless the computer's owner turned the history on.
    ///
    /// - Parameter limit: 1 to ``ClipboardLimits/history``.
    public func history(limit: Int = ClipboardLimits.history) async throws -> ClipboardHistoryPage {
        try await peer.call(ClipboardMethods.getHistory, ClipboardHistoryQuery(limit: limit))
    }

    /// Makes the computer forget what was copied before; the clipboard itself stays.
    public func clearHistory() async throws { _ = try await peer.call(ClipboardMethods.clearHistory) }
}
