public import Commands
public import Kernel

/// The page for browsers that are phones, as a computer has it: what a hub serves can be held against it.
public struct PageBundle: MethodAnswer, Hashable {
    /// The version of the computer's program.
    public let version: String
    /// SHA-256 over the list of the page's files, in hexadecimal digits. Nil where they are not installed.
    public let hash: String?

    public init(version: String, hash: String?) {
        self.version = version
        self.hash = hash
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let version = members.text("version") else { throw .malformedResult }
        self.version = version
        hash = members.text("sha256")
    }

    public var wire: JSONValue { .known(["version": .string(version), "sha256": hash.map(JSONValue.string)]) }
}
