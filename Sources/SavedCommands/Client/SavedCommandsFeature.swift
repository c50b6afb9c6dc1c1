public import Capabilities
public import CommandClient
public import Commands
import Rights

/// A phone's half of saved commands. It keeps nothing: the computer has the commands, the runs and what these print.
public struct SavedCommandsFeature: PeerFeature {
    /// For `PhoneConfiguration.features`.
    public static let maker = PeerFeatureMaker("saved-commands", rights: [.savedCommands]) { _ in
        SavedCommandsFeature()
    }

    public init() {}

    public var methods: [MethodDeclaration] { SavedCommandMethods.all }
}
