package import Generations

extension GenerationStore {
    /// Names of files, folders and keys that belong to no data and to nothing that goes on: none after a start.
    package func remains(keys: any KeyStorePort) throws -> [String] {
        let living = try [current()?.id.name, kept?.generation.name, staged?.generation.id.name].compactMap { $0 }
        let named = ["CURRENT", "KEPT"] + living + (staged == nil ? [] : ["restore.journal"])
        let names = [Self.keyName] + living.map { Self.keyName + "." + $0 }
        return try files.names(in: Self.folder, limit: 1000).filter { !named.contains($0) }
            + keys.names(withPrefix: Self.keyName).filter { !names.contains($0) }
    }
}
