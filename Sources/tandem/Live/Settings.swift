import Configuration
import Foundation
import Kernel
import SystemPackage

/// A role's settings: what was typed wins over the environment (`TANDEM_HUB`, …), that over `config.json` in the state
/// folder (`{"hub": …}`), that over the default.
struct Settings {
    private let reader: ConfigReader

    init(folder: StateFolder) async throws {
        do {
            reader = ConfigReader(providers: [
                EnvironmentVariablesProvider().prefixKeys(with: "tandem"),
                try await FileProvider<JSONSnapshot>(
                    filePath: FilePath(folder.configurationURL.path),
                    allowMissing: true
                ),
            ])
        } catch {
            throw SettingsError.unreadable(path: folder.configurationURL.path, reason: "\(error)")
        }
    }

    func text(_ typed: String?, _ key: String) -> String? {
        typed ?? reader.string(forKey: ConfigKey(key))
    }

    func text(_ typed: String?, _ key: String, default fallback: String) -> String {
        typed ?? reader.string(forKey: ConfigKey(key), default: fallback)
    }

    /// In the environment separated by commas.
    func texts(_ typed: [String], _ key: String) -> [String] {
        typed.isEmpty ? reader.stringArray(forKey: ConfigKey(key), default: []) : typed
    }

    func integer(_ key: String, default fallback: Int) -> Int {
        reader.int(forKey: ConfigKey(key), default: fallback)
    }

    func optionalInteger(_ key: String) -> Int? {
        reader.int(forKey: ConfigKey(key))
    }

    func flag(_ typed: Bool, _ key: String) -> Bool {
        typed || reader.bool(forKey: ConfigKey(key), default: false)
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
}

/// A setting that cannot be used.
enum SettingsError: Error, Hashable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case badAddress(setting: String, value: String)
    case badURL(setting: String, value: String)
    case badDialect(String)

    var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path) cannot be read as settings: \(reason). It must be one JSON object."
        case .badAddress(let setting, let value):
            "\(setting) must be ADDRESS:PORT, for example 0.0.0.0:9001 or [::]:9001, not \(value)."
        case .badURL(let setting, let value):
            "\(setting) must be a ws:// or wss:// address, for example wss://hub.example.net, not \(value)."
        case .badDialect(let value):
            "dialect must be embedded or standalone, not \(value)."
        }
    }
}

/// Where to listen.
struct Endpoint: Hashable {
    var host: String
    /// 0 means any free port.
    var port: Int

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }
}
