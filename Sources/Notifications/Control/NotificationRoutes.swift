import CommandClient
package import Commands
package import Control
import Kernel

/// The feature's control routes for commands and pages of this machine: of a phone about its computers, of a computer about itself.
package struct NotificationRoutes: Sendable {
    /// A computer by its name or id; nil for the only one.
    package typealias Find = @Sendable (_ name: String?) async throws -> any Peer

    private let side: any NotificationSide
    private let find: Find

    init(_ side: any NotificationSide, find: @escaping Find) {
        self.side = side
        self.find = find
    }

    /// The routes of a computer about itself.
    ///
    /// - Parameter find: The computer's own methods and events, answered without a session.
    package init(ofComputer find: @escaping Find) {
        self.init(ComputerSide(find: find), find: find)
    }

    package var control: [ControlRoute] {
        [
            ControlRoute(NotificationsControl.call, of: NotificationMethods.all, find: find),
            ControlRoute(NotificationsControl.list) { [side] list in
                guard (1...500).contains(list.limit ?? 50) else {
                    throw ControlError.badParameter(name: "limit", expected: "1 to 500")
                }
                return try await side.list(list)
            },
            ControlRoute(NotificationsControl.mark) { [side] mark in
                if mark.all == true {
                    guard mark.ids == nil else {
                        throw ControlError.badParameter(name: "ids", expected: "left out with all")
                    }
                    let number = try await side.seen(mark.device)
                    return try await side.mark(.allRead(upTo: mark.upTo ?? number), mark.device)
                }
                return try await side.mark(.read(try Self.ids(mark.ids ?? [])), mark.device)
            },
            ControlRoute(NotificationsControl.delete) { [side] delete in
                try await side.mark(.deleted(try Self.ids(delete.ids)), delete.device)
            },
            ControlRoute(NotificationsControl.clear) { [side] clear in
                try await side.mark(try await Self.mark(clear, side), clear.device)
            },
            ControlRoute(NotificationsControl.unread) { [side] _ in try await side.unread() },
            ControlRoute(NotificationsControl.follow) { [side] choice, report in
                try await side.follow(choice.device, report)
                return NoControlAnswer()
            },
        ] + side.ownRoutes
    }

    private static func ids(_ ids: [String]) throws(ControlError) -> [String] {
        guard (1...NotificationLimits.marked).contains(ids.count),
            ids.allSatisfy({ !$0.isEmpty && $0.utf8.count <= NotificationLimits.name })
        else { throw .badParameter(name: "ids", expected: "1 to \(NotificationLimits.marked) ids of notifications") }
        return ids
    }

    private static func mark(
        _ clear: NotificationsControl.Clear,
        _ side: any NotificationSide
    ) async throws -> NotificationMark {
        guard clear.before != nil || clear.source != nil else {
            let number = try await side.seen(clear.device)
            return .cleared(upTo: clear.upTo ?? number)
        }
        guard clear.upTo == nil else {
            throw ControlError.badParameter(name: "upTo", expected: "left out with before and source")
        }
        if let before = clear.before, before < 0 {
            throw ControlError.badParameter(name: "before", expected: "milliseconds since 1970")
        }
        let origin = clear.source.flatMap(NotificationOrigin.init)
        guard (origin == nil) == (clear.source == nil) else {
            throw ControlError.badParameter(name: "source", expected: "pc or mobile")
        }
        return .forgotten(OldNotifications(before: clear.before, origin: origin))
    }
}

/// The part of the routes that differs between the two roles, phone and computer.
protocol NotificationSide: Sendable {
    func list(_ list: NotificationsControl.List) async throws -> JSONValue
    /// The last number that a person can have seen here; nil where nothing is counted.
    func seen(_ device: String?) async throws -> Int64?
    func mark(_ mark: NotificationMark, _ device: String?) async throws -> NotificationsControl.Marked
    func unread() async throws -> NotificationsControl.Unread
    func follow(_ device: String?, _ report: @escaping @Sendable (JSONValue) async throws -> Void) async throws
    /// The routes that the other role does not have.
    var ownRoutes: [ControlRoute] { get }
}
