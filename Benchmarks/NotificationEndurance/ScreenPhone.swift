import ArgumentParser
import CommandClient
import Control
import Foundation
import Kernel
import Logging
import Notifications
import Pairing
import TandemPhone

/// What an app on a phone is: the library, and a screen of its own.
struct ScreenPhone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "A phone that writes each banner to a file as it is shown."
    )

    @Option(help: "The phone's state folder.") var state: String
    @Option(help: "The file of banners. What stands in it is on the screen when the phone starts.") var screen: String
    @Option(help: "What computers show.") var name = "phone"
    @Option(help: "How long the system takes to show one, in milliseconds.") var delay = 5

    func run() async throws {
        var logger = Logger(label: "phone") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .notice
        let folder = try StateFolder(URL(filePath: state))
        let screen = try FileScreen(URL(filePath: screen), delay: .milliseconds(delay))
        let phone = try Phone(
            folder: folder,
            configuration: PhoneConfiguration(
                device: PairingDeviceInfo(name: name, platform: .linux),
                version: "1",
                features: [NotificationsFeature.maker(presenter: screen)]
            ),
            logger: logger
        )
        let control = ControlServer(folder: folder, handler: phone.control, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await phone.run() }
            group.addTask { try await control.run() }
            await control.listening()
            let ready = JSONValue.object(["did": .string(phone.identity.did)]).canonicalText + "\n"
            try FileHandle.standardOutput.write(contentsOf: Data(ready.utf8))
            try await group.waitForAll()
        }
    }
}

/// A screen that outlives its program, as a system's is: one banner for each notification, written down line by line. A line is one write, so
/// that a killed program has shown a banner or has not.
actor FileScreen: NotificationPresenter {
    private let file: FileHandle
    private let delay: Duration
    private var onScreen: [String: Int64] = [:]

    init(_ url: URL, delay: Duration) throws {
        self.delay = delay
        if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
        for line in try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")) {
            guard let entry = try? JSONValue(parsing: line), let id = entry["id"]?.stringValue else { continue }
            onScreen[id] = entry["did"]?.stringValue == "withdrawn" ? nil : entry["alert"]?.integerValue
        }
        file = try FileHandle(forWritingTo: url)
        try file.seekToEnd()
    }

    func present(_ banners: [NotificationBanner]) async {
        for banner in banners {
            let isThere = onScreen[banner.id.notification] == banner.alert
            onScreen[banner.id.notification] = banner.alert
            write([
                "did": isThere ? "repeated" : "shown", "id": .string(banner.id.notification),
                "alert": .integer(banner.alert), "title": .string(banner.title),
            ])
            try? await Task.sleep(for: delay)
        }
    }

    func withdraw(_ ids: [KeptNotification.ID]) async {
        for id in ids where onScreen.removeValue(forKey: id.notification) != nil {
            write(["did": "withdrawn", "id": .string(id.notification)])
        }
    }

    private func write(_ entry: JSONValue) {
        do {
            try file.write(contentsOf: Data((entry.canonicalText + "\n").utf8))
        } catch {
            // A screen that cannot be read proves nothing.
            fatalError("the file of banners cannot be written: \(error)")
        }
    }
}
