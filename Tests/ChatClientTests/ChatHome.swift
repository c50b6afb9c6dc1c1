import Accounts
import AccountsClient
import Chat
import ChatHub
import CommandClient
import Control
import Foundation
import HomeTesting
import Kernel
import NetworkWebClient
import Pictures
import TandemPhone
import Testing
import Transport
import WebClient

@testable import ChatClient

/// Two people with a phone each, at a real hub over sockets of loopback.
struct ChatHome: Sendable {
    let home: Home
    let hub: HomeHub
    let ada: ChatPerson
    let bob: ChatPerson

    /// - Parameter cuts: Where Ada's network is cut while files are sent.
    static func run(
        cutting cuts: [Int] = [],
        _ settings: [String: JSONValue] = [:],
        _ body: @escaping @Sendable (ChatHome) async throws -> Void
    ) async throws {
        var plan = HubPlan.chat(ChatHubFeature.maker, settings)
        plan.keepsPort = true
        let phones = ["ada", "bob", "tablet"].map { name in
            PhonePlan(name, owner: name, features: [feature(name, cutting: name == "ada" ? cuts : [])])
        }
        try await Home.run(hubs: [plan], computers: [], phones: phones) { home in
            let hub = try home.hub(named: "hub")
            let (ada, bob) = (
                ChatPerson(phone: try home.phone(named: "ada")), ChatPerson(phone: try home.phone(named: "bob"))
            )
            for (person, name) in [(ada, "ada"), (bob, "bob")] {
                _ = try await person.ask(AccountControl.new, .init(hub: hub.url("").absoluteString, name: name))
            }
            try await body(ChatHome(home: home, hub: hub, ada: ada, bob: bob))
        }
    }

    private static func feature(_ name: String, cutting cuts: [Int]) -> PeerFeatureMaker {
        ChatFeature.maker(
            ChatFeature.Surroundings(
                device: DeviceDescription(name: "\(name)'s phone", platformID: .android),
                photos: TestPhotos(),
                // Nobody waits in a test.
                timing: IMAdapter.Timing(backoff: Backoff(steps: [.milliseconds(20)])),
                web: { CuttingWebClient(try NetworkWebClient(), after: cuts) }
            )
        )
    }
}

/// A person's phone, as its commands and its page ask it.
struct ChatPerson: Sendable {
    let phone: HomePhone

    func ask<Parameters, Answer>(
        _ method: ControlMethod<Parameters, Answer>,
        _ parameters: Parameters
    ) async throws -> Answer {
        try await phone.role.control.call(method, parameters)
    }

    func list() async throws -> ChatControl.Standing { try await ask(ChatControl.list, NoControlParameters()) }

    /// The conversation with a person, by name.
    func open(_ name: String) async throws -> ChatControl.ConversationEntry {
        try await ask(ChatControl.open, .init(name))
    }

    /// Follows what happens until an item fits, for a minute at most.
    func wait<Found: Sendable>(
        for find: @escaping @Sendable (ChatControl.Item) -> Found?,
        after act: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> Found {
        let (items, told) = AsyncStream.makeStream(of: ChatControl.Item.self)
        let control = try await phone.role.control
        return try await withThrowingTaskGroup(of: Found?.self) { group in
            group.addTask {
                _ = try await control.call(ChatControl.follow, .init()) { told.yield($0) }
                return nil
            }
            group.addTask {
                for await item in items { if let found = find(item) { return found } }
                return nil
            }
            defer { group.cancelAll() }
            try await act()
            while let result = try await group.next() { if let result { return result } }
            throw ChatError.cancelled
        }
    }

    /// The newest page, once it fits: what came before the follower is in it.
    func messages(
        in conversation: String,
        until isDone: @escaping @Sendable ([ChatControl.MessageEntry]) -> Bool
    ) async throws -> [ChatControl.MessageEntry] {
        while true {
            let page = try await ask(ChatControl.history, .init(conversation)).messages
            if isDone(page) { return page }
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// As the phone's page asks its routes.
    func page(
        _ method: HTTPRoute.Method,
        _ target: String,
        body: [UInt8] = [],
        fields: [(name: String, value: String)] = []
    ) async throws -> (status: Int, fields: [String: String], bytes: [UInt8]) {
        let path = String(target.prefix { $0 != "?" })
        let routes = try await phone.role.pageRoutes().http
        let route = try #require(routes.first { $0.method == method && $0.path.description == path })
        let request = RouteRequest(
            method: method.rawValue,
            target: target,
            host: "localhost",
            clientAddress: nil,
            fields: fields
        )
        let left = LatestValue<[UInt8]?>(body)
        let answer = try await route.handler(
            request,
            HTTPRequestBody(limit: route.maximumBodyBytes) {
                defer { left.set(nil) }
                return left.value
            }
        )
        var bytes: [UInt8] = []
        switch answer.body {
        case .bytes(let whole): bytes = whole
        case .pieces(_, let next): while let piece = try await next() { bytes += piece }
        }
        let told = Dictionary(answer.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return (answer.status, told, bytes)
    }
}

/// Makes each picture a small one of 3 × 2 pixels by its header, which the hub takes.
struct TestPhotos: PhotoEncoder {
    static let header: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3, 0, 0, 0, 2, 8,
        2,
        0, 0, 0, 0x12, 0x16, 0xF1, 0x4D,
    ]

    /// A picture as a person has it.
    static func picture(_ seed: UInt8) -> [UInt8] { header + [UInt8](repeating: seed, count: 3000) }

    func photo(_ picture: [UInt8], within byteLimit: Int, pixelLimit: Int) async throws -> EncodedPicture {
        EncodedPicture(
            bytes: Self.header + [0xAA] + picture.suffix(100),
            format: .png,
            dimensions: PictureDimensions(width: 3, height: 2)
        )
    }

    func thumbnail(of picture: [UInt8], longEdge: Int, pixelLimit: Int) async throws -> PictureThumbnail {
        PictureThumbnail(
            picture: try await photo(picture, within: 0, pixelLimit: 0),
            blurHash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
        )
    }
}
