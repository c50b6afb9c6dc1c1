public import Capabilities
public import CommandClient
public import Commands
import Rights

/// A phone's half of remote input.
public struct RemoteInputFeature: PeerFeature {
    /// The maker that a composition lists to have this feature: the right `screen.control`.
    public static let maker = PeerFeatureMaker("remote-input", rights: [.screenControl]) { _ in RemoteInputFeature() }

    package init() {}

    /// `input.open`, `input.send` and `input.close`.
    public var methods: [MethodDeclaration] { InputMethods.all }
}
