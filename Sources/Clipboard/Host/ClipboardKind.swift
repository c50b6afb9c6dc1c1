/// What a clipboard can hold. Raw values are the wire's.
package enum ClipboardKind: String, Hashable, Sendable, CaseIterable {
    case text, html, image, files
}
