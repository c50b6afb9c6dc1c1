public import Commands
import Rights

/// Source: `docs/protocol.md`, "Screen".
public enum ScreenMethods {
    // Pictures of the screen can show private data, so they are audited as changes are.
    public static let screenshot = Method<ScreenshotQuery, Screenshot>(
        "display.screenshot",
        otherNames: ["screen.capture"],
        needs: Permission(.display),
        risk: .mutating,
        summary: "Takes a picture of one display."
    )
    public static let list = Method<NoParameters, Displays>(
        "display.list",
        needs: Permission(.display),
        risk: .mutating,
        summary: "Lists the displays."
    )

    public static let all: [MethodDeclaration] = [screenshot.declaration, list.declaration]
}
