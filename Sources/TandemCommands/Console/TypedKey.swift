/// A key that a person pressed in a terminal, or text that was pasted.
enum TypedKey: Hashable {
    case text(String)
    /// As one piece, whatever lines it has.
    case pasted(String)
    case enter
    /// Ctrl-J, or Alt and Enter: a line feed within the text.
    case newline
    case backspace
    case delete
    case deleteWord
    case deleteToStart
    case deleteToEnd
    case left
    case right
    case wordLeft
    case wordRight
    case home
    case end
    case up
    case down
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D.
    case endOfInput
    /// Ctrl-L.
    case redraw
}
