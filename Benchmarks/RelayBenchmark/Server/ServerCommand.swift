/// A server that can be started, as often as needed.
struct ServerCommand: Sendable {
    /// What the table calls it.
    let name: String
    /// Program and arguments. `{state}` stands for a fresh folder.
    let words: [String]
}
