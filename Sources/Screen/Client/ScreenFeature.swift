public import CommandClient
public import Commands
import Rights

/// A phone's half of the screen.
public struct ScreenFeature: PhoneFeature {
    public static let maker = PhoneFeatureMaker(rights: [.display]) { _ in ScreenFeature() }

    package init() {}

    public var methods: [MethodDeclaration] { ScreenMethods.all }
}
