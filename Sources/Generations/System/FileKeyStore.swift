/// Keys as files of a state folder that only its owner may read, one a file, beside the role's other keys.
package struct FileKeyStore: KeyStorePort {
    /// A key is short: more bytes are damage.
    private static let byteLimit = 4096
    private static let countLimit = 4096

    private let files: any FileSystemPort
    private let folder: StorePath

    /// - Parameter folder: The folder of keys, `keys` in a state folder.
    package init(_ files: any FileSystemPort, folder: StorePath = "keys") {
        self.files = files
        self.folder = folder
    }

    package func key(named name: String) throws(GenerationsError) -> [UInt8]? {
        try files.contents(of: folder.appending(try StorePath(name)), limit: Self.byteLimit)
    }

    package func store(_ bytes: [UInt8], named name: String) throws(GenerationsError) {
        try files.makeFolders(folder)
        try files.replace(folder.appending(try StorePath(name)), with: bytes)
    }

    package func remove(named name: String) throws(GenerationsError) {
        let path = folder.appending(try StorePath(name))
        guard try files.status(of: path) != nil else { return }
        try files.removeFile(path)
        try files.synchronizeFolder(folder)
    }

    /// Also the names under which keys waited to replace others when the program ended.
    package func names(withPrefix prefix: String) throws(GenerationsError) -> [String] {
        guard try files.status(of: folder) != nil else { return [] }
        return try files.names(in: folder, limit: Self.countLimit).filter { $0.hasPrefix(prefix) }
    }
}
