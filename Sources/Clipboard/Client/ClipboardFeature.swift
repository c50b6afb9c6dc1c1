public import Capabilities
public import CommandClient
public import Commands
public import Control
import Kernel
import Rights

/// A phone's half of the clipboard.
public struct ClipboardFeature: PeerFeature {
    /// For `PhoneConfiguration.features`. It keeps nothing, and needs no tables.
    public static let maker = PeerFeatureMaker("clipboard", rights: [.clipboard]) { ClipboardFeature($0.computers) }

    private let computers: any PairedComputers
    private let following = ClipboardFollowing()

    public init(_ computers: any PairedComputers) { self.computers = computers }

    public var methods: [MethodDeclaration] { ClipboardMethods.all }

    public var controlRoutes: [ControlRoute] {
        [
            ControlRoute(ClipboardControl.follow) { [computers, following] parameters, report in
                try await following.follow(try await computers.peer(named: parameters.device), report)
                return NoControlAnswer()
            }
        ]
    }

    public func close() async { await following.close() }
}
