public import Commands
import Rights

/// Source: `docs/protocol.md`, "Clipboard".
public enum ClipboardMethods {
    /// Logged as changes are, though it only reads: people copy passwords.
    public static let get = Method<ClipboardQuery, ClipboardReading>(
        "clipboard.get",
        needs: Permission(.clipboard),
        risk: .mutating,
        summary: "Gives what was copied."
    )
    /// May wait on the phone for a computer that is away.
    public static let set = Method<NewClipboardContent, ClipboardWritten>(
        "clipboard.set",
        needs: Permission(.clipboard),
        risk: .mutating,
        mayWait: true,
        summary: "Copies something."
    )
    /// Makes the computer send ``EventKind/clipboardChanged`` to this phone.
    public static let watch = Method<NoParameters, ClipboardWatch>(
        "clipboard.watch",
        needs: Permission(.clipboard),
        risk: .mutating,
        summary: "Tells from now on when something is copied."
    )
    /// Ends `clipboard.watch` for this phone.
    public static let unwatch = Method<NoParameters, ClipboardWatch>(
        "clipboard.unwatch",
        needs: Permission(.clipboard),
        risk: .mutating,
        summary: "Stops telling when something is copied."
    )
    /// Empty unless the computer's owner turned the history on.
    public static let getHistory = Method<ClipboardHistoryQuery, ClipboardHistoryPage>(
        "clipboard.getHistory",
        needs: Permission(.clipboard),
        risk: .mutating,
        summary: "Lists what was copied before."
    )
    /// May wait on the phone for a computer that is away.
    public static let clearHistory = Method<NoParameters, Done>(
        "clipboard.clearHistory",
        needs: Permission(.clipboard),
        risk: .mutating,
        mayWait: true,
        isRepeatable: true,
        summary: "Forgets what was copied before."
    )

    /// The feature's methods, for catalogues and registries.
    public static let all: [MethodDeclaration] = [
        get.declaration, set.declaration, watch.declaration, unwatch.declaration, getHistory.declaration,
        clearHistory.declaration,
    ]
}
