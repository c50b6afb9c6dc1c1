import ArgumentParser
import Foundation
import Kernel
import Logging
import Testing

@testable import TandemCommands

@Suite("Settings", .timeLimit(.minutes(4)))
struct SettingsTests {
    /// A state folder with this config.json, for as long as `body` runs.
    private func with<Result>(_ text: String?, _ body: (StateFolder) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let folder = try StateFolder(url)
        if let text { try Data(text.utf8).write(to: folder.configurationURL) }
        return try body(folder)
    }

    /// What a desktop with these settings says at start; nil when it would run.
    private func refusal(_ text: String?, environment: [String: String] = [:], arguments: [String] = []) throws
        -> String?
    {
        try with(text) { folder in
            do {
                let settings = try Settings(folder: folder, environment: environment)
                _ = try LogOptions.parse([]).logger("test", settings)
                _ = try DesktopOptions.parse(arguments).configuration(settings, state: folder.url)
                try settings.refuseMistakes()
                return nil
            } catch let error as SettingsError {
                return "\(error)".replacing(folder.url.path + "/", with: "")
            }
        }
    }

    @Test(
        "a setting that is not understood stops the start and is named",
        arguments: [
            (#"{"share":"/srv/x"}"#, "share in config.json must be a list of texts"),
            (#"{"share":[]}"#, "share in config.json must be a list of texts"),
            (#"{"share":[""]}"#, "share in config.json must be a list of texts"),
            (#"{"share":null}"#, "share in config.json must be a list of texts"),
            (#"{"listen":9001}"#, "listen in config.json must be a text, not 9001"),
            (#"{"listen":"9001"}"#, "listen must be ADDRESS:PORT"),
            (#"{"bridge":"9099"}"#, "bridge must be off, or ADDRESS:PORT, for example 0.0.0.0:9099"),
            (#"{"bridgePlain":"off"}"#, "bridgePlain in config.json must be true or false"),
            (#"{"yes":"no"}"#, #"yes in config.json must be true or false, not "no""#),
            (#"{"eventLoops":"2"}"#, "eventLoops in config.json must be a whole number"),
            (#"{"tlsCert":"/c.pem"}"#, "tlsCert is set without tlsKey"),
            (#"{"tlsKey":"/k.pem"}"#, "tlsKey is set without tlsCert"),
            (#"{"shares":["/srv/x"]}"#, "config.json sets shares, which is unknown here. "),
            (#"{"hub":"ws://hub.example.net"}"#, "ws://hub.example.net is a hub on the internet without TLS"),
            (#"{"hub":"https://hub.example.net"}"#, "hub must be a ws:// or wss:// address"),
            (#"{"dialect":"klingon"}"#, "dialect must be one of embedded, standalone, not klingon."),
            (#"{"logLevel":"loud"}"#, "logLevel must be one of trace"),
            (#"{"name":"a","name":"b"}"#, "config.json cannot be read as settings: "),
            ("[]", "config.json cannot be read as settings: it holds something else"),
            ("{name: 1}", "config.json cannot be read as settings: it is not JSON"),
        ]
    )
    func refused(text: String, sentence: String) throws {
        let said = try #require(
            try refusal(text, arguments: ["--listen", "127.0.0.1:1"].filter { _ in !text.contains("listen") })
        )
        #expect(said.hasPrefix(sentence))
    }

    @Test("a mistake in the file is one also where the command line says otherwise")
    func overridden() throws {
        #expect(
            try refusal(#"{"listen":9001}"#, arguments: ["--listen", "127.0.0.1:1"])?.hasPrefix("listen in") == true
        )
    }

    @Test("the environment is read as strictly as the file")
    func environment() throws {
        #expect(
            try refusal(nil, environment: ["TANDEM_YES": "maybe"])?.hasPrefix("TANDEM_YES in the environment") == true
        )
        #expect(try refusal(nil, environment: ["TANDEM_TLS_CERT": "/c.pem"])?.hasPrefix("tlsCert is set") == true)
        #expect(try refusal(nil, environment: ["TANDEM_YES": "", "TANDEM_NO_DISCOVERY": "1"]) == nil)
    }

    @Test("an empty list, or an empty text in one, is refused wherever it stands, and shares nothing")
    func emptyTexts() throws {
        for text in [",", " ", "/a, ,/b"] {
            let said = try refusal(nil, environment: ["TANDEM_SHARE": text])
            #expect(said?.hasPrefix("TANDEM_SHARE in the environment must be a list of texts with") == true)
        }
        for arguments in [["--share", ""], ["--share", "/tmp", "--share", ""]] {
            let said = try refusal(nil, arguments: arguments)
            #expect(said?.hasPrefix("share in the command line must be a list of texts with") == true)
        }
        #expect(try refusal(nil, environment: ["TANDEM_SHARE": ""]) == nil)
        try with(nil) { folder in
            let settings = try Settings(folder: folder, environment: ["TANDEM_SHARE": "/a,"])
            #expect(settings.texts([], "share") == ["/a"])
            try settings.refuseMistakes()
        }
    }

    @Test("what is typed wins over the environment, that over the file, that over the default")
    func order() throws {
        try with(#"{"name":"file","hub":"wss://file.example"}"#) { folder in
            let environment = ["TANDEM_NAME": "environment", "TANDEM_SHARE": "/a, /b"]
            let settings = try Settings(folder: folder, environment: environment)
            #expect(settings.text("typed", "name") == "typed")
            #expect(settings.text(nil, "name") == "environment")
            #expect(settings.text(nil, "hub") == "wss://file.example")
            #expect(settings.text(nil, "dialect", default: "embedded") == "embedded")
            #expect(settings.texts([], "share") == ["/a", "/b"])
            #expect(settings.flag(false, "yes") == false)
            #expect(
                settings.entries.map { "\($0.key) \($0.source.rawValue)" }
                    == ["dialect default", "hub config.json", "name environment", "share environment", "yes default"]
            )
            try settings.refuseMistakes()
        }
    }

    @Test("a device's name is shortened, not refused, and holds nothing that acts on a screen")
    func deviceName() throws {
        try with(nil) { folder in
            let settings = try Settings(folder: folder, environment: [:])
            #expect(settings.deviceName(String(repeating: "ä", count: 5000), default: "x").count == 64)
            #expect(settings.deviceName("Büro\u{1B}[31m\n ", default: "x") == "Büro[31m")
            #expect(settings.deviceName("\u{202E}", default: "x") == "x")
        }
    }

    @Test("no file means no mistakes, and plain ws stays allowed at home")
    func good() throws {
        #expect(try refusal(nil) == nil)
        #expect(try refusal(#"{"hub":"ws://192.168.1.2:9001","name":"Büro"}"#) == nil)
        #expect(try refusal(#"{"bridge":"off","bridgePlain":false}"#) == nil)
        #expect(try refusal(#"{"hub":"ws://hub.example.net","allowPlain":true}"#) == nil)
    }

    @Test("a config.json that is a link without a target is a mistake, and one with a target is read")
    func link() throws {
        try with(nil) { folder in
            let target = folder.url.appending(path: "elsewhere.json")
            try FileManager.default.createSymbolicLink(at: folder.configurationURL, withDestinationURL: target)
            let error = SettingsError.unreadable(
                path: folder.configurationURL.path,
                reason: "it is a link to a file that is not there"
            )
            #expect(throws: error) { try Settings(folder: folder, environment: [:]) }
            try Data(#"{"name":"Desk"}"#.utf8).write(to: target)
            #expect(try Settings(folder: folder, environment: [:]).text(nil, "name") == "Desk")
        }
    }

    @Test(
        "a limit with which a server would stop or break is refused by its name",
        arguments: [
            ("messagesPerSecond", 0), ("messagesPerSecond", -5), ("messagesPerSecond", Int.max),
            ("limitConnections", Int.max), ("limitReservedConnections", -1), ("limitIdSeconds", 20_000_000_000),
            ("limitMessageBytes", 5_000_000_000),
        ]
    )
    func badLimit(name: String, value: Int) throws {
        try with("{\"\(name)\":\(value)}") { folder in
            let settings = try Settings(folder: folder, environment: [:])
            do {
                _ = try ServerOptions.parse([]).hubConfiguration(settings, certificates: .parse([]), in: folder)
                Issue.record("\(name) was taken")
            } catch let error as ServerOptionsError {
                #expect("\(error)".hasPrefix("\(name) must be at least "))
                #expect("\(error)".contains("not \(value). What each limit means"))
            }
        }
    }

    @Test("a phone takes a hub on the internet without TLS only when that was allowed")
    func phone() throws {
        try with(nil) { folder in
            let typed = ["--hub", "ws://hub.example.net"]
            let settings = try Settings(folder: folder, environment: [:])
            #expect(throws: SettingsError.plainHub("ws://hub.example.net")) {
                try PhoneOptions.parse(typed).values(settings)
            }
            #expect(try PhoneOptions.parse(typed + ["--allow-plain"]).values(settings).hub?.scheme == "ws")
        }
    }

    @Test(
        "every setting has its name in the environment",
        arguments: [
            ("hub", "TANDEM_HUB"), ("noDiscovery", "TANDEM_NO_DISCOVERY"), ("logLevel", "TANDEM_LOG_LEVEL"),
            ("tlsCert", "TANDEM_TLS_CERT"), ("state", "TANDEM_STATE"), ("withPhone", "TANDEM_WITH_PHONE"),
        ]
    )
    func variable(key: String, variable: String) {
        #expect(Settings.variable(key) == variable)
    }

    @Test("the state folder is what is typed, else the environment's, else the role's own")
    func stateFolder() throws {
        let environment = ["XDG_STATE_HOME": "/srv/states", "TANDEM_STATE": "/srv/environment"]
        let typed = try GlobalOptions.parse(["--state", "/srv/typed"])
        let untyped = try GlobalOptions.parse([])
        for role in Role.allCases {
            #expect(typed.location(of: role, in: environment).path == "/srv/typed")
            #expect(untyped.location(of: role, in: environment).path == "/srv/environment")
            for others in [["XDG_STATE_HOME": "/srv/states"], ["XDG_STATE_HOME": "/srv/states", "TANDEM_STATE": ""]] {
                #expect(untyped.chosenState(in: others) == nil)
                #expect(untyped.location(of: role, in: others).path == "/srv/states/tandem/\(role.rawValue)")
            }
        }
        #expect(untyped.chosenState(in: environment) == "/srv/environment")
    }

    @Test("the environment asks for a phone beside up, or for none")
    func withPhone() throws {
        try with(nil) { folder in
            for (text, isWanted) in [("1", true), ("yes", true), ("no", false), ("", false)] {
                let settings = try Settings(folder: folder, environment: ["TANDEM_WITH_PHONE": text])
                #expect(try Up.parse([]).runsPhone(settings) == isWanted)
                #expect(try Up.parse(["--with-phone"]).runsPhone(settings))
                try settings.refuseMistakes()
            }
            let settings = try Settings(folder: folder, environment: ["TANDEM_WITH_PHONE": "please"])
            #expect(try Up.parse([]).runsPhone(settings) == false)
            #expect(
                settings.mistakes.map(\.description)
                    == ["TANDEM_WITH_PHONE in the environment must be true or false, not \"please\"."]
            )
        }
    }

    @Test("the environment sets the log's level; what is typed wins, and an unknown one is a mistake")
    func logLevel() throws {
        try with(nil) { folder in
            let settings = try Settings(folder: folder, environment: ["TANDEM_LOG_LEVEL": "debug"])
            #expect(try LogOptions.parse([]).logger("test", settings).logLevel == .debug)
            #expect(try LogOptions.parse(["--log-level", "error"]).logger("test", settings).logLevel == .error)
            try settings.refuseMistakes()
            let wrong = try Settings(folder: folder, environment: ["TANDEM_LOG_LEVEL": "loud"])
            #expect(try LogOptions.parse([]).logger("test", wrong).logLevel == .notice)
            #expect(wrong.mistakes.first?.description.hasPrefix("logLevel must be one of trace") == true)
        }
    }
}
