import Capabilities
import Foundation
import Kernel
import Synchronization
import Transport

/// A role's settings: what was typed wins over the environment (`TANDEM_HUB`, …), that over `config.json` in the state
/// folder (`{"hub": …}`), that over the default.
///
/// Reading one never fails: what is wrong is noted, and ``refuseMistakes()`` throws it before anything starts. A setting
/// that is not understood must not leave its default in force, which may be a wider one.
final class Settings: Sendable {
    /// A setting that was asked for, as `tandem config show` prints it.
    struct Entry: Hashable {
        enum Source: String {
            case typed = "typed"
            case environment
            case file = "config.json"
            case standard = "default"
        }

        var key: String
        var value: JSONValue
        var source: Source
    }

    private struct Book {
        var entries: [String: Entry] = [:]
        var mistakes: [SettingsError] = []
    }

    private static let fileLimit = 1 << 20
    private static let nameLimit = 64

    let path: String
    private let file: [String: JSONValue]
    private let environment: [String: String]
    private let book = Mutex(Book())

    init(
        folder: StateFolder,
        environment: [String: String] = Running.console.environment
    ) throws(SettingsError) {
        path = folder.configurationURL.path
        file = try Self.read(path)
        self.environment = environment
    }

    /// Every setting that was asked for so far, by name.
    var entries: [Entry] { book.withLock { $0.entries.values.sorted { $0.key < $1.key } } }

    func text(_ typed: String?, _ key: String) -> String? {
        value(typed.map(JSONValue.string), key, .text, default: nil)?.stringValue
    }

    func text(_ typed: String?, _ key: String, default fallback: String) -> String {
        value(typed.map(JSONValue.string), key, .text, default: .string(fallback))?.stringValue ?? fallback
    }

    /// A list of texts; in the environment they are separated by commas.
    func texts(_ typed: [String], _ key: String) -> [String] {
        let typed = JSONValue.array(typed.map(JSONValue.string))
        return value(typed == [] ? Optional.none : typed, key, .texts, default: [])?.arrayValue?.compactMap(
            \.stringValue
        ) ?? []
    }

    /// The settings of features by name; a setting without a value is absent.
    func of(_ features: [FeatureManifest]) -> [String: JSONValue] {
        features.flatMap(\.settings).reduce(into: [:]) { values, setting in
            values[setting.name] =
                switch setting.kind {
                case .flag: value(nil, setting.name, .flag, default: nil)
                case .text: value(nil, setting.name, .text, default: nil)
                case .integer: value(nil, setting.name, .integer, default: nil)
                }
        }
    }

    func integer(_ key: String, default fallback: Int) -> Int {
        value(nil, key, .integer, default: .integer(Int64(fallback)))?.integerValue.flatMap(Int.init(exactly:))
            ?? fallback
    }

    func integer(_ typed: Int?, _ key: String, default fallback: Int) -> Int {
        let typed = typed.map { JSONValue.integer(Int64($0)) }
        return value(typed, key, .integer, default: .integer(Int64(fallback)))?.integerValue.flatMap(Int.init(exactly:))
            ?? fallback
    }

    func optionalInteger(_ key: String) -> Int? {
        value(nil, key, .integer, default: nil)?.integerValue.flatMap(Int.init(exactly:))
    }

    func flag(_ typed: Bool, _ key: String) -> Bool {
        value(typed ? .bool(true) : Optional.none, key, .flag, default: false)?.boolValue ?? false
    }

    /// A flag whose default depends on something else; nil where it is not set.
    func optionalFlag(_ typed: Bool?, _ key: String) -> Bool? {
        value(typed.map(JSONValue.bool), key, .flag, default: nil)?.boolValue
    }

    /// One of a few words.
    func choice<Value: CaseIterable & RawRepresentable<String>>(
        _ typed: Value?,
        _ key: String,
        default fallback: Value
    ) -> Value {
        let text = text(typed?.rawValue, key, default: fallback.rawValue)
        if let value = Value(rawValue: text) { return value }
        note(.badChoice(setting: key, value: text, choices: Value.allCases.map(\.rawValue)))
        return fallback
    }

    /// - Throws: ``SettingsError/badAddress(setting:value:)`` unless the setting is `ADDRESS:PORT`.
    func endpoint(_ typed: String?, _ key: String, default fallback: String) throws(SettingsError) -> Endpoint {
        let value = text(typed, key, default: fallback)
        guard let endpoint = Endpoint(value) else { throw .badAddress(setting: key, value: value) }
        return endpoint
    }

    /// - Throws: ``SettingsError/badURL(setting:value:)`` unless the setting is absent or a ws:// or wss:// URL with a host.
    func signalingURL(_ typed: String?, _ key: String) throws(SettingsError) -> URL? {
        guard let value = text(typed, key), !value.isEmpty else { return nil }
        guard let url = URL(string: value), ["ws", "wss"].contains(url.scheme), url.host() != nil else {
            throw .badURL(setting: key, value: value)
        }
        return url
    }

    /// The name that other devices show: of a bounded length, without characters that act on a screen. A longer one is shortened.
    func deviceName(_ typed: String?, default fallback: String) -> String {
        let given = text(typed, "name", default: fallback)
        let shown = String(String.UnicodeScalarView(given.unicodeScalars.filter { !TerminalText.isUnsafe($0) }))
        let name = String(shown.prefix(Self.nameLimit)).trimmingCharacters(in: .whitespaces)
        return name.isEmpty ? fallback : name
    }

    /// The hub to use. What goes there is sealed, but who talks to whom, and when, is only behind TLS.
    ///
    /// - Throws: ``SettingsError/plainHub(_:)`` for `ws://` out on the internet that was not allowed.
    func hubURL(_ typed: String?, allowsPlain: Bool) throws(SettingsError) -> URL? {
        guard let url = try signalingURL(typed, "hub") else { return nil }
        let host = url.host(percentEncoded: false) ?? ""
        guard url.scheme == "wss" || allowsPlain || LocalAddresses.isLocal(host) else {
            throw .plainHub(url.absoluteString)
        }
        return url
    }

    /// To be called once everything was asked for: a setting that no caller asked for is unknown.
    ///
    /// - Throws: The first mistake; its description names the setting and where it stands.
    func refuseMistakes() throws(SettingsError) {
        if let mistake = mistakes.first { throw mistake }
    }

    /// All mistakes, of which ``refuseMistakes()`` throws the first.
    var mistakes: [SettingsError] {
        book.withLock { book in
            let known = book.entries.keys
            let unknown = file.keys.filter { !known.contains($0) }.sorted()
            return book.mistakes + unknown.map { .unknown(setting: $0, path: path) }
        }
    }

    /// The name under which the environment holds a setting: `TANDEM_NO_DISCOVERY` for `noDiscovery`.
    static func variable(_ key: String) -> String {
        key.reduce(into: "TANDEM_") { name, character in
            if character.isUppercase { name += "_" }
            name += character.uppercased()
        }
    }

    // MARK: Where they stand

    private func value(_ typed: JSONValue?, _ key: String, _ kind: SettingKind, default fallback: JSONValue?)
        -> JSONValue?
    {
        let entry = found(typed, key, kind) ?? Entry(key: key, value: fallback ?? .null, source: .standard)
        book.withLock { $0.entries[key] = entry }
        return entry.value == .null ? nil : entry.value
    }

    private func found(_ typed: JSONValue?, _ key: String, _ kind: SettingKind) -> Entry? {
        // Each place is looked at, also where another wins: a mistake would come into force once that is left out.
        var found: Entry?
        if let value = file[key] {
            if kind.accepts(value) {
                found = Entry(key: key, value: value, source: .file)
            } else {
                note(.wrongKind(setting: key, place: path, expected: kind.name, found: value.canonicalText))
            }
        }
        let variable = Self.variable(key)
        // An empty variable is how a unit's environment file leaves one out.
        if let text = environment[variable], !text.isEmpty {
            if let value = kind.read(text), kind.accepts(value) {
                found = Entry(key: key, value: value, source: .environment)
            } else {
                note(.wrongKind(setting: variable, place: "the environment", expected: kind.name, found: "\"\(text)\""))
            }
        }
        guard let typed else { return found }
        guard kind.accepts(typed) else {
            let text = typed.canonicalText
            note(.wrongKind(setting: key, place: "the command line", expected: kind.name, found: text))
            return found
        }
        return Entry(key: key, value: typed, source: .typed)
    }

    private func note(_ mistake: SettingsError) {
        book.withLock { if !$0.mistakes.contains(mistake) { $0.mistakes.append(mistake) } }
    }

    private static func read(_ path: String) throws(SettingsError) -> [String: JSONValue] {
        guard FileManager.default.fileExists(atPath: path) else {
            // A link whose target is missing, such as on a disk that is not mounted, must not leave the defaults in force.
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            guard target == nil else {
                throw .unreadable(path: path, reason: "it is a link to a file that is not there")
            }
            return [:]
        }
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            data = try handle.read(upToCount: fileLimit + 1) ?? Data()
        } catch {
            throw .unreadable(path: path, reason: Reason.of(error))
        }
        guard data.count <= fileLimit else { throw .unreadable(path: path, reason: "it is larger than 1 MiB") }
        do {
            guard let members = try JSONValue(parsing: data).objectValue else {
                throw SettingsError.unreadable(path: path, reason: "it holds something else")
            }
            return members
        } catch let error as SettingsError {
            throw error
        } catch DecodingError.dataCorrupted(let context) where context.underlyingError is FrameScanError {
            throw .unreadable(path: path, reason: "it is not JSON")
        } catch {
            throw .unreadable(path: path, reason: Reason.of(error))
        }
    }
}

/// The type of a setting's value.
enum SettingKind {
    case text
    case texts
    case integer
    case flag

    var name: String {
        switch self {
        case .text: "a text"
        case .texts: "a list of texts with at least one and none empty, for example [\"/srv/photos\"]"
        case .integer: "a whole number"
        case .flag: "true or false"
        }
    }

    func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.text, .string), (.integer, .integer), (.flag, .bool): true
        // With an empty list the default would come into force, for example all of the home folder as the share; an empty
        // path is the folder that the program was started in.
        case (.texts, .array(let values)): !values.isEmpty && values.allSatisfy { $0.stringValue?.isEmpty == false }
        default: false
        }
    }

    /// A value from the environment; nil when it is none of this kind.
    func read(_ text: String) -> JSONValue? {
        switch self {
        case .text: .string(text)
        case .texts:
            .array(
                text.split(separator: ",").map { .string($0.trimmingCharacters(in: .whitespaces)) }
            )
        case .integer: Int64(text).map(JSONValue.integer)
        case .flag:
            switch text.lowercased() {
            case "true", "yes", "on", "1": true
            case "false", "no", "off", "0": false
            default: nil
            }
        }
    }
}
