public import CommandClient
public import Commands
public import Control
import Kernel
import Rights

/// A phone's half of the clipboard.
public struct ClipboardFeature: PeerFeature {
    /// For `PhoneConfiguration.features`. It keeps nothing, and needs no tables.
    public static let maker = PeerFeatureMaker(rights: [.clipboard]) { _ in ClipboardFeature() }

    private let following = ClipboardFollowing()

    public init() {}

    public var methods: [MethodDeclaration] { ClipboardMethods.all }

    public func controlRoutes(_ computers: any PairedComputers) -> [ControlRoute] {
        [
            ControlRoute(ClipboardControl.follow) { [following] parameters, report in
                try await following.follow(try await computers.peer(named: parameters.device), report)
                return NoControlAnswer()
            }
        ]
    }

    public func close() async { await following.close() }
}
