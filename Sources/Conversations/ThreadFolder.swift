/// A folder that agents work in.
public struct ThreadFolder: Hashable, Sendable {
    /// Folders of one answer.
    public static let limit = 500

    /// Its path at the computer.
    public var path: String
    /// Threads of the normal list that work there.
    public var count: Int
    /// The date of the newest message in any of them, in milliseconds since 1970-01-01T00:00:00Z.
    public var updatedMilliseconds: Int64

    public init(path: String, count: Int, updatedMilliseconds: Int64) {
        self.path = path
        self.count = count
        self.updatedMilliseconds = updatedMilliseconds
    }
}
