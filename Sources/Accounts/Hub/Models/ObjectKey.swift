import Kernel

/// Keys of objects that people keep at a hub.
enum ObjectKey {
    /// Whether a text can be one: 1 to 200 bytes that mean themselves in a path.
    static func isValid(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count) && text.hasOnlyLettersAndDigits(or: "/._-") && !text.contains("..")
            && !text.hasPrefix("/")
    }
}
