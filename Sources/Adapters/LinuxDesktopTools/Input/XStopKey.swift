import CXCB
import Glibc

/// The keys with which a person at an X server ends what a phone does there.
struct XStopKey: Hashable, Sendable {
    /// As people say it.
    let words: String
    let code: UInt8

    /// The first of these that no other program has: window managers take the first for themselves.
    private static let choices: [(words: String, key: UInt32, modifiers: UInt16)] = [
        ("Ctrl+Alt+Escape", 0xFF1B, control | alt), ("Ctrl+Alt+Shift+Escape", 0xFF1B, control | alt | shift),
        ("Ctrl+Alt+Pause", 0xFF13, control | alt),
    ]
    private static let (shift, lock, control, alt, numLock): (UInt16, UInt16, UInt16, UInt16, UInt16) =
        (1, 2, 4, 8, 16)

    /// Takes the keys for this program, as long as its connection lasts. Nil where all are other programs'.
    init?(grabbing connection: OpaquePointer, root: UInt32, keys: XKeys) {
        for choice in Self.choices {
            guard let code = keys.place(of: KeySymbol(choice.key))?.code,
                Self.grab(code, choice.modifiers, connection, root)
            else { continue }
            (words, self.code) = (choice.words, code)
            return
        }
        return nil
    }

    /// Whatever Caps Lock and Num Lock are.
    private static func grab(_ code: UInt8, _ modifiers: UInt16, _ connection: OpaquePointer, _ root: UInt32) -> Bool {
        let asked = [0, lock, numLock, lock | numLock].map { more in
            xcb_grab_key_checked(connection, 0, root, modifiers | more, code, 1, 1)
        }
        // Every answer is taken, also after one that is a refusal.
        let refusals = asked.map { request in
            let refusal = xcb_request_check(connection, request)
            defer { free(refusal) }
            return refusal != nil
        }
        guard refusals.contains(true) else { return true }
        xcb_ungrab_key(connection, code, root, modifiers)
        for more in [lock, numLock, lock | numLock] { xcb_ungrab_key(connection, code, root, modifiers | more) }
        return false
    }
}
