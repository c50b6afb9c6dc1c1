package import Foundation
package import Rights

/// Something that a phone's right keeps going at this computer after the command that began it was answered. Never with contents.
package struct Activity: Hashable, Sendable, Identifiable {
    /// A kind of activity, declared by its feature.
    package struct Kind: Hashable, Sendable {
        package let name: String
        package let right: Right
        /// The words about it after its device's name: "… has a shell open".
        package let words: String
        /// Whether the owner, who sits there, is shown a message when one begins.
        package let isShown: Bool
        /// Whether the owner may leave it running without the device when its right is taken back.
        package let mayOutliveRight: Bool

        package init(_ name: String, needs right: Right, words: String, isShown: Bool, mayOutliveRight: Bool = false) {
            self.name = name
            self.right = right
            self.words = words
            self.isShown = isShown
            self.mayOutliveRight = mayOutliveRight
        }
    }

    /// The kind, a colon and what tells it from others of its kind.
    package var id: String
    package var kind: Kind
    /// A ``Caller/id``.
    package var device: String
    /// When it began; nil where that is not kept.
    package var since: Date?
    /// The part that tells it from others: a shell, a file's path. Empty where there is only one.
    package var detail: String
    /// The program that runs, for a page that says it in its own language; nil where there is none to name.
    package var program: Program?

    /// A program of this computer.
    package struct Program: Codable, Hashable, Sendable {
        /// Its path or its name.
        package var name: String
        /// Its number in the system.
        package var process: Int

        package init(name: String, process: Int) {
            self.name = name
            self.process = process
        }
    }

    package init(
        _ kind: Kind,
        _ name: String,
        device: String,
        since: Date? = nil,
        detail: String = "",
        program: Program? = nil
    ) {
        id = "\(kind.name):\(name)"
        self.kind = kind
        self.device = device
        self.since = since
        self.detail = detail
        self.program = program
    }

    package var words: String { kind.words }
}
