/// The version every role tells.
enum TandemVersion {
    static let current = "0.3.0"
}
