/// A generation that is being put together; nobody sees it before its commit.
package struct StagedGeneration: Hashable, Sendable {
    package let generation: Generation
    package let phase: StagingPhase
    /// The package that it is made from, as the caller named it to ``GenerationStore/stage(binding:)``. Empty for one that is made on this
    /// device, which does not outlive its process.
    package let binding: [UInt8]
    /// Milliseconds since 1970-01-01T00:00:00Z, by this device's clock.
    package let startedAtMilliseconds: Int64
}
