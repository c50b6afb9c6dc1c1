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

    package static let all: [MethodDeclaration] = [screenshot.declaration, list.declaration]
}
