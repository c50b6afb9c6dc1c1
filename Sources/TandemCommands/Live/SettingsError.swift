import Kernel

/// A setting that cannot be used. The description is shown to the person.
enum SettingsError: Error, Hashable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case wrongKind(setting: String, place: String, expected: String, found: String)
    case unknown(setting: String, path: String)
    /// One of two that mean something only together.
    case half(given: String, missing: String)
    case badAddress(setting: String, value: String)
    case badURL(setting: String, value: String)
    case badChoice(setting: String, value: String, choices: [String])
    case noHome
    /// Several errors at the same time.
    indirect case several([SettingsError])
    case badPage(value: String, reason: String)
    case badBridge(value: String)
    /// A hub on the internet that is spoken to without TLS.
    case plainHub(String)

    var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path) cannot be read as settings: \(reason). It must be one JSON object, for example {\"name\": \"Desk\"}."
        case .wrongKind(let setting, let place, let expected, let found):
            "\(setting) in \(place) must be \(expected), not \(found.prefix(100))."
        case .unknown(let setting, let path):
            "\(path) sets \(TerminalText.name(setting)), which is unknown here. See the known ones with: tandem config show"
        case .half(let given, let missing):
            "\(given) is set without \(missing). They belong together: set both or none."
        case .badAddress(let setting, let value):
            "\(setting) must be ADDRESS:PORT, for example 0.0.0.0:9001 or [::]:9001, not \(value)."
        case .badURL(let setting, let value):
            "\(setting) must be a ws:// or wss:// address, for example wss://hub.example.net, not \(value)."
        case .badChoice(let setting, let value, let choices):
            "\(setting) must be one of \(choices.joined(separator: ", ")), not \(value)."
        case .badPage(let value, let reason): "page cannot be \(value.prefix(100)). \(reason)"
        case .badBridge(let value):
            "bridge must be off, or ADDRESS:PORT, for example 0.0.0.0:9099 or [::]:9099, not \(value.prefix(100))."
        case .several(let mistakes): mistakes.map(\.description).joined(separator: " ")
        case .noHome:
            "HOME is empty or does not begin with a slash. Set it to the path of your home folder, or unset it."
        case .plainHub(let url):
            """
            \(url) is a hub on the internet without TLS: everybody on the way sees who talks to whom. \
            Use wss://, or allow it with --allow-plain.
            """
        }
    }
}
