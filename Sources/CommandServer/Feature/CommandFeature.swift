package import Commands
package import Control
import Kernel
package import Rights
package import Transport

/// A feature's half at a computer: everything that it brings. The composition asks for each of these and knows nothing else of it.
package protocol CommandFeature: Sendable {
    /// The rights that its methods need.
    var rights: [RightDeclaration] { get }
    var methods: [RemoteMethod] { get }
    /// The skill that keeps things going for phones; nil for a feature that does not.
    var keeper: (any ActivityKeeper)? { get }
    /// Binary messages of sessions.
    var frames: [FrameRoute] { get }
    /// Requests that commands and pages on this machine can make.
    var controlRoutes: [ControlRoute] { get }
    /// Topics that it tells by itself to pages of this computer.
    var topics: [ControlTopic] { get }
    /// Routes beside the relay on this computer's server, under the server's rules for hosts, origins and limits.
    var webSocketRoutes: [WebSocketRoute] { get }
    var httpRoutes: [HTTPRoute] { get }
    /// Routes that it serves to the page of this computer.
    ///
    /// - Throws: `RouteError`.
    func pageRoutes() throws -> RouteSet
    /// Called once, when every feature is made and before any of them runs: for one that has a door of its own.
    func open(_ access: CommandAccess)
    /// Something that works on this machine, or is missing.
    func checks() async -> [DoctorCheck]
    /// Work in the background. Returns when its task is cancelled; one that returns earlier ends nothing.
    func run() async
    /// Ends what it started and keeps what has to last.
    func close() async
}

extension CommandFeature {
    package var rights: [RightDeclaration] { [] }
    package var methods: [RemoteMethod] { [] }
    package var keeper: (any ActivityKeeper)? { nil }
    package var frames: [FrameRoute] { [] }
    package var controlRoutes: [ControlRoute] { [] }
    package var topics: [ControlTopic] { [] }
    package var webSocketRoutes: [WebSocketRoute] { [] }
    package var httpRoutes: [HTTPRoute] { [] }
    package func pageRoutes() throws -> RouteSet { RouteSet() }
    package func open(_ access: CommandAccess) {}
    package func checks() async -> [DoctorCheck] { [] }
    package func run() async {}
    package func close() async {}
}

/// The receiver of a session's binary messages that begin with its byte. JSON begins with an opening brace, so that no frame does.
package struct FrameRoute: Sendable {
    package let firstByte: UInt8
    /// Returns at once: what there is to do is done beside the session's other messages.
    package let receive: @Sendable (_ frame: [UInt8], _ caller: Caller) -> Void

    package init(firstByte: UInt8, receive: @escaping @Sendable (_ frame: [UInt8], _ caller: Caller) -> Void) {
        self.firstByte = firstByte
        self.receive = receive
    }
}
