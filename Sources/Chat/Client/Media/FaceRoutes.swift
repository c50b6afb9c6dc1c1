import Chat
import Control

/// What a phone's commands and pages ask of the own face.
struct FaceRoutes: Sendable {
    /// That of the account that is signed in; nil for none.
    let desk: @Sendable () async -> FaceDesk?

    var all: [ControlRoute] {
        [
            ControlRoute(ChatControl.setFace) { chosen in
                guard let desk = await desk() else { throw ChatError.noAccount }
                return try await desk.set(chosen.file)
            }
        ]
    }
}
