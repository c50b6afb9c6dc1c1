package import Commands
import Rights

/// The methods of a computer's pointer and keyboard. Source: `docs/protocol.md`, "Remote input".
package enum InputMethods {
    package static let open = Method<OpenInput, InputOpened>(
        "input.open",
        needs: Permission(.screenControl),
        risk: .privileged,
        summary: "Take control of this computer's pointer and keyboard."
    )
    package static let send = Method<InputBatch, InputTaken>(
        "input.send",
        needs: Permission(.screenControl),
        risk: .privileged,
        continues: "sessionId",
        isOrdered: true,
        summary: "Move the pointer and press keys in a control that was opened."
    )
    package static let close = Method<InputSessionChoice, Done>(
        "input.close",
        needs: Permission(.screenControl),
        risk: .mutating,
        summary: "End the control, and let go of what it held down."
    )

    package static let all: [MethodDeclaration] = [open.declaration, send.declaration, close.declaration]
}
