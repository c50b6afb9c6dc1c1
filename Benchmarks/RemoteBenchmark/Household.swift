import Foundation

/// Two computers that differ in one setting, so that what goes over a connection of its own and what goes through the session is measured in
/// turns of one run, on the same machine in the same state. The one that is not measured is idle.
struct Household: Sendable {
    /// Takes direct connections, as it does unless its owner says otherwise.
    let direct: Computer
    /// Has `directFiles` turned off.
    let session: Computer

    static func with(
        tandem: String,
        folder: URL,
        _ body: @escaping @Sendable (Household) async throws -> Void
    ) async throws {
        let (near, far) = (folder.appending(path: "direct"), folder.appending(path: "session"))
        try await Computer.with(tandem: tandem, folder: near, usesSessionOnly: false) { direct in
            try await Computer.with(tandem: tandem, folder: far, usesSessionOnly: true) { session in
                try await body(Household(direct: direct, session: session))
            }
        }
    }
}
