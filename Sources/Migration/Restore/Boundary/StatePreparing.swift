package import Generations

/// Makes the state that other features of the phone find after the commit, from the sections of a package. Calls block.
package protocol StatePreparing: Sendable {
    /// Reads what lies in `sections`, one folder for each section, and puts together `state`. It may be called again after it was cut short, so
    /// it leaves `sections` as it is; `state` is removed before. What the commit needs in order to be only renames afterwards is made here,
    /// while a full disk can still be told.
    ///
    /// - Returns: The names of the sections, for the report.
    func prepare(sections: StorePath, state: StorePath, files: any FileSystemPort) throws -> [String]
}
