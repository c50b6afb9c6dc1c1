import Transfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Paths on this device as their person types them, also where their bytes are not UTF-8.
package enum LocalPath {
    /// A word of the command line as text, without loss: what is not UTF-8 is written as ``FileNameText`` does.
    package static func text(ofArgument word: UnsafePointer<CChar>) -> String {
        let bytes = UnsafeRawBufferPointer(start: word, count: strlen(word))
        return String(validating: bytes, as: UTF8.self) ?? FileNameText.text(bytes)
    }

    /// Whether a folder, or a link to one, has this path.
    package static func isFolder(_ path: String) -> Bool {
        (try? LocalFolder.open(path)) != nil
    }
}
