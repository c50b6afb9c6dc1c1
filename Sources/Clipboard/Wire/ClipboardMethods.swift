public import Commands
import Rights

/// Source: `docs/protocol.md`, "Clipboard".
public enum ClipboardMethods {
    // Reading is logged as changes are: people copy passwords.
    public static let get = Method<ClipboardQuery, ClipboardReading>(
        "clipboard.get",
        needs: Permission(.clipboard),
        risk: .mutating,
        summary: "Gives what was copied."
    )
    public static let set = Method<NewClipboardContent, ClipboardWritten>(
        "clipboard.set",
        needs: Permission(.clipboard),
        risk: .mutating,
        mayWait: true,
        summary: "Copies something."
    )
    public static let watch = Method<NoParameters, ClipboardWatch>(
        "clipboard.watch",
        needs: Permission(.clipboard),
        risk: .mutating,
        summary: "Tells from now on when something is copied."
    )
    public static let unwatch = Method<NoParameters, ClipboardWatch>(
        "clipboard.unwatch",
        needs: Permission(.clipboard),
        risk: .mutating,
        summary: "Stops telling when something is copied."
    )
    public static let getHistory = Method<ClipboardHistoryQuery, ClipboardHistoryPage>(
        "clipboard.getHistory",
        needs: Permission(.clipboard),
        risk: .mutating,
        summary: "Lists what was copied before."
    )
    public static let clearHistory = Method<NoParameters, Done>(
        "clipboard.clearHistory",
        needs: Permission(.clipboard),
        risk: .mutating,
        mayWait: true,
        summary: "Forgets what was copied before."
    )

    public static let all: [MethodDeclaration] = [
        get.declaration, set.declaration, watch.declaration, unwatch.declaration, getHistory.declaration,
        clearHistory.declaration,
    ]
}
