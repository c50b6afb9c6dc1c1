package import Foundation
package import Kernel
package import Rights

/// Something that a phone's right keeps going at this computer after the command that began it was answered. Never with contents.
package struct Activity: Hashable, Sendable, Identifiable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A shell that the phone opened.
        case terminal
        /// Another phone's shell, whose output the phone gets.
        case terminalView = "terminal-view"
        case clipboard
        case screen
        case upload
        case download

        package var right: Right {
            switch self {
            case .terminal, .terminalView: .terminal
            case .clipboard: .clipboard
            case .screen: .display
            case .upload: .fileWrite
            case .download: .fileRead
            }
        }
    }

    /// The kind, a colon and what tells it from others of its kind.
    package var id: String
    package var kind: Kind
    /// A ``Caller/id``.
    package var device: String
    /// When it began; nil where that is not kept.
    package var since: Date?
    /// Which one it is: a shell, a file's path. Empty where there is only one.
    package var detail: String

    package init(_ kind: Kind, _ name: String, device: String, since: Date? = nil, detail: String = "") {
        id = "\(kind.rawValue):\(name)"
        self.kind = kind
        self.device = device
        self.since = since
        self.detail = detail
    }

    /// What is told of it before and after its device's name: "… has a shell open".
    package var words: String {
        switch kind {
        case .terminal: "has a shell open"
        case .terminalView: "watches another phone's shell"
        case .clipboard: "watches the clipboard"
        case .screen: "takes pictures of the screen"
        case .upload: "sends a file"
        case .download: "fetches a file"
        }
    }

    /// For commands and pages.
    package var json: JSONValue {
        [
            "id": .string(id), "kind": .string(kind.rawValue), "device": .string(device),
            "right": .string(kind.right.rawValue), "detail": .string(detail),
            "since": since.map { .integer($0.millisecondsSince1970) } ?? .null,
        ]
    }
}
