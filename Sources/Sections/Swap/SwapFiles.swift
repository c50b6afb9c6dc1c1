package import Foundation

/// The file system as ``StateSwap`` uses it. Tests put one there that ends at the k-th call.
package protocol SwapFiles {
    func exists(_ url: URL) throws -> Bool
    /// Renames a file or folder to a name that is free.
    func move(_ url: URL, to target: URL) throws
    /// Makes an empty file. One that is there stays, and takes no room.
    func mark(_ url: URL) throws
    /// Removes a marker, if there is one.
    func unmark(_ url: URL) throws
    /// Makes a folder of its owner's alone. One that is there stays, and takes no room.
    func makeFolder(_ url: URL) throws
    /// The names in the folder are on disk when this returns.
    func sync(_ folder: URL) throws
    /// Takes SQLite's log into the database's file, so that the file alone is the database. Nothing where there is no log.
    func fold(_ database: URL) throws
    func plan(in folder: URL) throws -> SwapPlan?
    func write(_ plan: SwapPlan, to folder: URL) throws
}
