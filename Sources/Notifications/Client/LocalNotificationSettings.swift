/// How notifications behave on this phone, whatever its computers say.
public struct LocalNotificationSettings: Codable, Hashable, Sendable {
    /// Off: nothing is shown as it comes. The list is kept all the same.
    public var enabled: Bool
    /// Banners may sound.
    public var sound: Bool
    /// Off: banners say which program it is, and not what it says.
    public var preview: Bool

    public init(enabled: Bool = true, sound: Bool = true, preview: Bool = true) {
        self.enabled = enabled
        self.sound = sound
        self.preview = preview
    }
}
