public import Commands

/// The screen of a paired computer.
///
/// Each call throws ``RemoteFailure`` when the computer refused, and ``RemoteError`` when no answer came or it could not be read.
public struct ScreenClient: Sendable {
    private let peer: any Peer

    public init(_ peer: any Peer) { self.peer = peer }

    /// The displays, the primary one first.
    public func displays() async throws -> [Display] { try await peer.call(ScreenMethods.list).displays }

    /// A picture of one display.
    ///
    /// - Throws: Also ``RemoteFailure`` with ``FailureCode/busy`` when two pictures are being taken already, and with
    ///   ``FailureCode/badParameters`` for a display that is not there.
    public func screenshot(_ query: ScreenshotQuery = ScreenshotQuery()) async throws -> Screenshot {
        try await peer.call(ScreenMethods.screenshot, query)
    }
}
