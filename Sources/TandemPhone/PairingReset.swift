import CommandClient
import Pairing
import Storage
import Transport

/// The part of a phone that pairing needs where a pairing ends or begins anew: the sessions with the computer, and what waits for it.
struct PairingReset: Sendable {
    let sessions: PeerSessions
    let store: SQLiteSessionStore
    let desktops: SQLitePairingStore<PairedDesktop>
    let queue: OfflineCommandQueue

    /// Tells a computer that this phone forgets it.
    ///
    /// - Throws: `SessionError` where it could not be told.
    func sendForget(to desktop: PairedDesktop) async throws {
        guard let peer = desktop.sessionPeer else { return }
        // Closed at once: one that is paired again may be back in the list before the link's owner looks at that.
        guard await sessions.end(with: peer, saying: PairingForget.message, closing: true) else {
            throw SessionError.notConnected
        }
    }

    /// Forgets the numbers of the session with a computer that was paired anew, and what waited for one that was forgotten.
    ///
    /// - Throws: `StorageError`.
    func startOver(with desktop: PairedDesktop) async throws {
        guard let peer = desktop.sessionPeer else { return }
        do {
            repeat {
                // Work under way with a computer that still knows this phone goes on.
                if let connection = await sessions.connection(with: peer.did), connection.peer == peer,
                    try await connection.startOver()
                {
                    break
                }
                await sessions.end(with: peer, closing: true)
                try await store.startOver(with: peer.agreementKey)
                // A call may have opened another session in between, which goes on from the old numbers.
            } while await sessions.connection(with: peer.did)?.peer == peer
            // Commands that wait for a computer that was forgotten are not for the one that is paired now.
            if desktops.record(desktop.pcPeerID) == nil { try await queue.clear(for: desktop.pcPeerID) }
        } catch {
            throw StorageError.telling(error)
        }
    }
}
