import CVipsShim

/// libvips refused a picture. The text of its error waits in its buffer.
struct VipsFailure: Error {
    let result: CVipsResult
}
