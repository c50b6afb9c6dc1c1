/// Why a command has nothing to show. The description is shown to the person.
enum CommandError: Error, CustomStringConvertible {
    case empty(String)
    case unreadableAnswer

    var description: String {
        switch self {
        case .empty(let sentence): sentence
        case .unreadableAnswer: "The computer's answer could not be read. Update Tandem on both devices."
        }
    }
}
