import DesktopNotifications
import LinuxNotifications
import LinuxPictures
import Logging
import Notifications
import NotificationsHost
import Pictures
import Testing

@Suite("The desktop's notifications as the feature hears them", .timeLimit(.minutes(4)))
struct DesktopNotificationSourceTests {
    /// Tells one notification, and shows what it is told.
    private final class OneNotification: NotificationBus {
        private let notification: BusNotification
        private let capabilities: [String]?

        init(_ notification: BusNotification, capabilities: [String]? = nil) {
            self.notification = notification
            self.capabilities = capabilities
        }

        func events() -> AsyncStream<BusEvent> {
            AsyncStream { continuation in
                if let capabilities {
                    continuation.yield(.available(NotificationService(name: "case", capabilities: capabilities)))
                }
                continuation.yield(.shown(id: 1, notification, replaces: nil))
                continuation.finish()
            }
        }

        func show(_ notification: BusNotification, replacing replaced: UInt32?) async throws -> UInt32 {
            #expect(notification.isPresented)
            return 2
        }
        func close(_ id: UInt32) async throws {}
        func invoke(action: String, reply: String?, of id: UInt32) async throws {}
        func service() async throws -> NotificationService { NotificationService(name: "none") }
    }

    private static let pictures = LinuxPictures()

    private static func source(_ notification: BusNotification, capabilities: [String]? = nil)
        -> DesktopNotificationSource
    {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let bus = OneNotification(notification, capabilities: capabilities)
        return DesktopNotificationSource(bus, pictures: pictures, logger: logger)
    }

    private static func heard(_ notification: BusNotification, capabilities: [String]? = nil) async
        -> SourceNotification?
    {
        for await event in await source(notification, capabilities: capabilities).events() {
            if case .shown(let notification) = event { return notification }
        }
        return nil
    }

    @Test("a picture that is sent as pixels reaches phones", arguments: [(3, 1), (96, 64), (600, 400)], [false, true])
    func pixels(size: (width: Int, height: Int), hasAlpha: Bool) async throws {
        let channels = hasAlpha ? 4 : 3
        let bytes = (0..<size.width * size.height * channels).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let pixels = bytes.withUnsafeBytes { data in
            BusPixels(
                width: size.width,
                height: size.height,
                rowStride: size.width * channels,
                hasAlpha: hasAlpha,
                bitsPerSample: 8,
                channels: channels,
                data: data
            )
        }
        let image = BusImage.pixels(try #require(pixels))
        let heard = try #require(await Self.heard(BusNotification(programName: "Chat", title: "Ada", image: image)))
        let picture = try #require(heard.picture)
        #expect(picture.count <= NotificationLimits.image)
        let dimensions = try await Self.pictures.dimensions(of: picture)
        #expect(dimensions.width == min(size.width, 256))
        #expect(abs(dimensions.height - dimensions.width * size.height / size.width) <= 1)
    }

    @Test(
        "a body is markup, but where the service that runs says that it takes none",
        arguments: [(nil, "a < b"), (["body", "body-markup"], "a < b"), ([], "a < b"), (["body"], "a &lt; <i>b</i>")]
            as [([String]?, String)]
    )
    func plainBodies(capabilities: [String]?, body: String) async {
        let notification = BusNotification(programName: "p", title: "t", body: "a < b", asSent: "a &lt; <i>b</i>")
        #expect(await Self.heard(notification, capabilities: capabilities)?.body == body)
    }

    @Test("what Tandem itself shows is marked, so that no other computer's half in the session tells it to phones")
    func ownBanners() async throws {
        let banner = DesktopBanner(title: "Tea", body: "It is ready.", priority: .normal, sender: "Ada's phone")
        let source = Self.source(BusNotification(programName: "p", title: "t"))
        #expect(try await source.show(banner, replacing: nil) == 2)
        #expect(await Self.heard(BusNotification(programName: "Tandem", title: "Tea", isPresented: true)) == nil)
    }
}
