public import Capabilities
public import CommandClient
public import Commands
public import Control
import Rights

/// A phone's half of threads.
public struct ThreadsFeature: PeerFeature {
    /// For `PhoneConfiguration.features`. It keeps nothing, and needs no tables.
    public static let maker = PeerFeatureMaker("threads", rights: [.threadsRead, .threadsWrite]) {
        ThreadsFeature($0.computers)
    }

    private let computers: any PairedComputers
    private let following = ThreadFollowing()

    public init(_ computers: any PairedComputers) { self.computers = computers }

    public var methods: [MethodDeclaration] { ThreadMethods.all }

    /// The events that come in streams: who follows a thread is told of them there.
    public var streamedEvents: Set<String> {
        [EventKind.threadItems.name, EventKind.threadDelta.name]
    }

    public var controlRoutes: [ControlRoute] { routes.control }

    private var routes: ThreadRoutes {
        ThreadRoutes(following: following, refusals: { [computers] in Self.refusals(of: $0, computers) }) {
            [computers] in
            try await computers.peer(named: $0)
        }
    }

    /// Raised after each change of what is paired while the computer does not let this phone read.
    private static func refusals(of computer: String, _ computers: any PairedComputers) -> AsyncStream<Void> {
        let lists = computers.paired()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let watching = Task {
                for await _ in lists where computers.advice(on: .threadsRead, at: computer) != nil {
                    continuation.yield()
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in watching.cancel() }
        }
    }

    public func close() async { await following.close() }
}
