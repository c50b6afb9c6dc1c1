/// What a commit did. It holds, also where ``cleanupFailure`` says that something is left to do.
package struct GenerationCommit: Hashable, Sendable {
    package let current: Generation
    /// What can be gone back to; nil for the first generation of a store.
    package let kept: KeptGeneration?
    /// Why what is not needed any more could not be put away; the next start does that.
    package let cleanupFailure: GenerationsError?
}
