import Capabilities
package import CommandClient
package import Commands
package import Control
import Feed
package import Kernel
package import Rights

/// A phone's half of the whiteboard.
package struct WhiteboardFeature: PeerFeature {
    package static let draw = ControlMethod<Drawing, JSONValue>(
        "whiteboard.draw",
        summary: "Draw on a computer's whiteboard."
    )
    package static let maker = PeerFeatureMaker("whiteboard", rights: [.whiteboard]) {
        WhiteboardFeature(computers: $0.computers, time: $0.time)
    }

    /// A stroke that a command draws.
    package struct Drawing: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        package var device: String?
        package var shape: String
    }

    private let computers: any PairedComputers
    private let time: any TimeSource

    package init(computers: any PairedComputers, time: any TimeSource) {
        self.computers = computers
        self.time = time
    }

    package var methods: [MethodDeclaration] { WhiteboardMethods.all }

    package func part(for computer: ComputerContext) -> (any ComputerPart)? { WhiteboardPart(computer, time: time) }

    package var controlRoutes: [ControlRoute] {
        [
            ControlRoute(Self.draw) { [computers] drawing in
                let peer = try await computers.peer(named: drawing.device)
                return try await peer.call(WhiteboardMethods.draw, WhiteboardMethods.Draw(shape: drawing.shape)).wire
            }
        ]
    }
}

/// One computer's board, as a phone follows it while its program runs.
package final class WhiteboardPart: ComputerPart {
    /// The board as far as it is known. Its strokes are numbered from 1 without a gap.
    private struct Board: Hashable, Sendable {
        /// Nil before the first answer.
        var epoch: String?
        var strokes: [Stroke] = []

        var position: FeedPosition {
            FeedPosition(epoch: epoch ?? "", number: Int64(strokes.count))
        }

        /// Takes what goes on from here, or begins anew.
        mutating func take(_ page: WhiteboardMethods.Page) {
            if page.epoch != epoch {
                guard page.after == 0 else { return }
                self = Board(epoch: page.epoch)
            }
            for stroke in page.strokes where stroke.number == Int64(strokes.count) + 1 { strokes.append(stroke) }
        }
    }

    private static let renewal = Duration.seconds(30)

    private let computer: ComputerContext
    private let questions: FeedQuestions
    private let isReached = LatestValue(false, capacity: 16)
    private let known = LatestValue(Board())
    private let answered = LatestValue<[[UInt8]]>([])
    private let tasks = OwnedTasks()

    init(_ computer: ComputerContext, time: any TimeSource) {
        self.computer = computer
        questions = FeedQuestions(renewal: Self.renewal, time: time)
        tasks.add { await self.follow() }
    }

    package var frameBytes: Set<UInt8> { [WhiteboardFrame.firstByte] }

    package func receive(frame: [UInt8]) async { answered.update { $0.append(frame) } }

    package func receive(_ event: RemoteEvent, number: UInt64?) async {
        guard let epoch = event.members["epoch"]?.stringValue else { return }
        if event.isOf(.boardWiped) {
            known.update { if $0.epoch != epoch { $0 = Board(epoch: epoch) } }
            // An older wiping may arrive after a newer answer.
            questions.ask()
        } else if event.isOf(.strokeDrawn), let stroke = try? Stroke(wire: .object(event.members)) {
            var relation = FeedRelation.known
            known.update { board in
                relation = board.position.relation(of: FeedPosition(epoch: epoch, number: stroke.number))
                if relation == .next { board.strokes.append(stroke) }
            }
            if relation == .gap { questions.ask() }
        }
    }

    package func reached() async { isReached.set(true) }
    package func lost() async { isReached.set(false) }
    /// The new program knows of no follower.
    package func restarted() async { questions.ask() }
    package func allowed(_ rights: Set<Right>) async { if rights.contains(.whiteboard) { questions.ask() } }
    package func close() async { await tasks.end() }

    private func follow() async {
        // Every failure is waited out: the computer is away, or does not allow it yet.
        try? await questions.run(while: isReached.values(), isFinal: { _ in false }) {
            () async throws -> WhiteboardMethods.Page in
            let board = self.known.value
            let query = WhiteboardMethods.Query(epoch: board.epoch, after: board.position.number)
            let answer = try await self.computer.call(WhiteboardMethods.strokes.name, query.wire, .seconds(30), true)
            return try WhiteboardMethods.Page(wire: answer)
        } take: { (page: WhiteboardMethods.Page) in
            self.known.update { $0.take(page) }
            return !page.isEnd
        }
    }

    // MARK: Drawing and looking

    /// Draws by the binary message.
    package func draw(_ shape: String) async throws { try await computer.sendFrame?(WhiteboardFrame.draw(shape)) }

    /// Waits until `count` binary messages were answered, and returns the answers.
    package func answers(_ count: Int) async -> [[UInt8]] {
        for await answers in answered.values() where answers.count >= count { return answers }
        return []
    }

    /// Waits until the board shows exactly these shapes. Ends with its task.
    package func shows(_ shapes: [String]) async {
        for await board in known.values() where board.strokes.map(\.shape) == shapes { return }
    }
}
