/// How a skill's methods are reached at a desktop. Raw values are the wire's.
package enum SkillTransport: String, Hashable, Sendable, Codable {
    /// A handler in the desktop's process.
    case handler = "handler-rpc"
    /// A browser extension that the desktop passes them on to.
    case browserExtension = "extension-ws"
}
