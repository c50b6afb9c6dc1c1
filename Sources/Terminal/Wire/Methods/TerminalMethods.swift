package import Commands
package import Kernel
import Rights

/// The methods of a computer's terminals. Source: `docs/protocol.md`, "Terminal".
package enum TerminalMethods {
    /// Bytes of what a device calls one of its windows.
    package static let viewerNameLimit = 64

    package static let create = Method<Create, Created>(
        "terminal.create",
        needs: Permission(.terminal),
        risk: .privileged,
        summary: "Open a shell on a terminal of its own, and be sent what it writes."
    )
    package static let list = Method<List, Listing>(
        "terminal.list",
        needs: Permission(.terminal),
        risk: .safe,
        summary: "List the terminals, and be sent what they write from here on."
    )
    package static let stdin = Method<Input, Accepted>(
        "terminal.stdin",
        needs: Permission(.terminal),
        risk: .privileged,
        continues: "sessionId",
        isOrdered: true,
        summary: "Type into a terminal."
    )
    package static let resize = Method<Resize, Accepted>(
        "terminal.resize",
        needs: Permission(.terminal),
        risk: .safe,
        continues: "sessionId",
        isOrdered: true,
        summary: "Change the size of a terminal's window."
    )
    package static let close = Method<Session, Accepted>(
        "terminal.close",
        needs: Permission(.terminal),
        risk: .mutating,
        summary: "End the shell of a terminal."
    )
    package static let history = Method<Past, TerminalHistory>(
        "terminal.history",
        needs: Permission(.terminal),
        risk: .safe,
        continues: "sessionId",
        summary: "Read what a terminal wrote before."
    )
    package static let acknowledge = Method<Acknowledgement, Accepted>(
        "terminal.ack",
        needs: Permission(.terminal),
        risk: .safe,
        continues: "sessionId",
        summary: "Say up to where a terminal's output is shown."
    )
    package static let unsubscribe = Method<Unsubscribe, Accepted>(
        "terminal.unsubscribe",
        needs: Permission(.terminal),
        risk: .safe,
        summary: "Be sent nothing more of what a terminal writes."
    )

    package static let all: [MethodDeclaration] = [
        create.declaration, list.declaration, stdin.declaration, resize.declaration, close.declaration,
        history.declaration, acknowledge.declaration, unsubscribe.declaration,
    ]

    /// An answer that says only that it is done.
    package struct Accepted: MethodAnswer, Hashable {
        package init() {}
        package init(wire: JSONValue) {}
        package var wire: JSONValue { ["ok": true] }
    }
}
