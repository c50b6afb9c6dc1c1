public import Capabilities
public import Commands
public import Foundation
public import Kernel
public import Rights
public import Sealing

/// A feature's half on a phone: what it serves there as at any role, and everything that it brings for the phone's computers. The composition
/// asks for each of these and knows nothing else of it.
public protocol PeerFeature: ServedFeature {
    /// The methods that it calls: which of them may wait, and how their parameters are checked before they do.
    var methods: [MethodDeclaration] { get }
    /// The sentence for a refusal whose text is a word for programs; nil for any other.
    func explain(_ failure: RemoteFailure) -> String?
    /// Names of events that only its own clients read: content that comes in streams, of which no page is told.
    var streamedEvents: Set<String> { get }
    /// Whether it goes on while the phone rests, since its data moves to another phone or has moved. Such a feature uses neither the phone's
    /// sessions nor its accounts; every other one has ended by then, and its requests are refused with the reason.
    var worksAtRest: Bool { get }
    /// The part that it keeps for one computer as long as there is a way to it; nil for a feature whose clients need nothing but calls.
    func part(for computer: ComputerContext) -> (any ComputerPart)?
}

extension PeerFeature {
    public var methods: [MethodDeclaration] { [] }
    public func explain(_ failure: RemoteFailure) -> String? { nil }
    public var streamedEvents: Set<String> { [] }
    public var worksAtRest: Bool { false }
    public func part(for computer: ComputerContext) -> (any ComputerPart)? { nil }
}

/// The half of a feature that belongs to one computer.
public protocol ComputerPart: Sendable {
    /// The first bytes of the binary messages that it takes. JSON begins with an opening brace, so that no frame does.
    var frameBytes: Set<UInt8> { get }
    /// Takes a binary message whose first byte is one of ``frameBytes``, before the next one is read.
    func receive(frame: [UInt8]) async
    /// Takes an event before the next message is read. One that the computer kept is taken off its hands when this returns.
    ///
    /// - Parameter number: Of an event that was kept: the same after a crash in between, and greater for each later one.
    func receive(_ event: RemoteEvent, number: UInt64?) async
    /// The computer is reached, again or for the first time.
    func reached() async
    /// The computer is reached no more; what is under way may go on when ``reached()`` comes.
    func lost() async
    /// The computer's program is another one, which knows nothing of what the one before had taken and not answered.
    func restarted() async
    /// The computer said what this phone may do there, and it is not what it said before.
    func allowed(_ rights: Set<Right>) async
    /// The computer is forgotten, or the phone ends: ends what this part started.
    func close() async
}

extension ComputerPart {
    public var frameBytes: Set<UInt8> { [] }
    public func receive(frame: [UInt8]) async {}
    public func receive(_ event: RemoteEvent, number: UInt64?) async {}
    public func reached() async {}
    public func lost() async {}
    public func restarted() async {}
    public func allowed(_ rights: Set<Right>) async {}
    public func close() async {}
}

/// The surroundings that a feature's part for one computer is made with.
public struct ComputerContext: Sendable {
    /// - Parameter isRepeatable: Doing it twice is as good as once: where the computer's program ends before it has answered, the next one
    ///   is asked again.
    public typealias Call =
        @Sendable (
            _ method: String, _ params: JSONValue, _ timeout: Duration, _ isRepeatable: Bool
        ) async throws -> JSONValue

    /// Throws as ``OfflineCommandQueue/enqueue(_:_:for:mobileDID:id:joining:)``.
    public typealias Enqueue =
        @Sendable (
            _ method: String, _ params: JSONValue, _ id: UUID, _ joining: OfflineCommandQueue.Joining?
        ) async throws -> QueuedCommand

    /// The computer's id.
    public let id: String
    /// Throws as ``Peer/call(_:_:timeout:)``.
    public let call: Call
    /// Sends a binary message after everything else; waits while the session is full. Nil where the computer takes none.
    public let sendFrame: (@Sendable ([UInt8]) async throws -> Void)?
    /// Keeps a command until the computer can be reached. Nil where nothing can wait.
    public let enqueue: Enqueue?
    /// How the computer is reached without a relay now; nil where it is not, and for a computer without a session.
    package var direct: (@Sendable () async -> DirectWay?)?

    /// - Parameter call: Throws as ``Peer/call(_:_:timeout:)``.
    public init(
        id: String,
        call: @escaping Call,
        sendFrame: (@Sendable ([UInt8]) async throws -> Void)?,
        enqueue: Enqueue? = nil
    ) {
        self.id = id
        self.call = call
        self.sendFrame = sendFrame
        self.enqueue = enqueue
    }
}

/// How a feature finds the computers that are paired.
public protocol PairedComputers: Sendable {
    /// - Parameter name: A computer's id or name; nil where only one is paired.
    /// - Throws: When it is not exactly one, with a sentence for the person.
    func peer(named name: String?) async throws -> any Peer
    /// The paired computers, now and after each change.
    func paired() -> AsyncStream<[PairedComputer]>
    /// The advice for a person where a computer said that this phone has not this right, with the command that its owner can type; nil where it
    /// is allowed, and where the computer never said.
    func advice(on right: Right, at computer: String) -> String?
    /// The commands that wait for them. Throws where there is no phone any more.
    var queue: OfflineCommandQueue { get async throws }
    /// The feature's part for a computer.
    func part<Part: ComputerPart>(_ type: Part.Type, forComputer id: String) async throws -> Part
}

extension PairedComputers {
    public func advice(on right: Right, at computer: String) -> String? { nil }
}

/// A paired computer as people know it.
public struct PairedComputer: Hashable, Sendable, Identifiable {
    /// The id, as in ``Peer/id``.
    public let id: String
    /// The name by which the person calls it.
    public let name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// The surroundings that a feature of a phone is made with: those of a feature of any role, and the phone's own.
@dynamicMemberLookup
public struct PeerContext: Sendable {
    /// Its storage, settings, clock and logger, which are also this value's members.
    public let common: FeatureContext
    /// The phone's computers. To be asked from when the feature runs: while it is made, its phone is not there yet.
    public let computers: any PairedComputers
    /// The phone's keys, for a feature that proves who it is to others than its computers.
    public let identity: Identity

    public init(_ common: FeatureContext, computers: any PairedComputers, identity: Identity) {
        self.common = common
        self.computers = computers
        self.identity = identity
    }

    public subscript<Member>(dynamicMember member: KeyPath<FeatureContext, Member>) -> Member {
        common[keyPath: member]
    }
}

/// A feature of a phone before it is made.
public typealias PeerFeatureMaker = FeatureMaker<PeerContext, any PeerFeature>
