package import Commands
import Rights

/// Source: `docs/protocol.md`, "Screen".
package enum ScreenMethods {
    // Pictures of the screen can show private data, so they are audited as changes are.
    package static let screenshot = Method<ScreenshotQuery, Screenshot>(
        "display.screenshot",
        otherNames: ["screen.capture"],
        needs: Permission(.display),
        risk: .mutating,
        summary: "Takes a picture of one display."
    )
    package static let list = Method<NoParameters, Displays>(
        "display.list",
        needs: Permission(.display),
        risk: .mutating,
        summary: "Lists the displays."
    )
    package static let watch = Method<ScreenViewQuery, ScreenViewOpened>(
        "display.watch",
        needs: Permission(.display),
        risk: .mutating,
        summary: "Opens a live view of one display."
    )
    /// Asked for by a frame and never called: the phone shows a picture of a view that ``watch`` opened.
    package static let shown = Method<NoParameters, Done>(
        "display.shown",
        needs: Permission(.display),
        risk: .safe,
        continues: "view",
        summary: "Says which picture of a live view is shown."
    )
    package static let unwatch = Method<ScreenViewChoice, Done>(
        "display.unwatch",
        needs: Permission(.display),
        risk: .safe,
        continues: "viewId",
        summary: "Closes a live view."
    )

    package static let all: [MethodDeclaration] = [
        screenshot.declaration, list.declaration, watch.declaration, shown.declaration, unwatch.declaration,
    ]
}
