/// The size that a picture's header claims.
struct PictureSize: Hashable, Sendable {
    let width: Int
    let height: Int
    let pages: Int

    func isWithin(pixels limit: Int) -> Bool {
        // Three 31-bit factors may exceed 64 bits: each is held against the limit on the way.
        guard width <= limit, height <= limit, pages <= limit, width * height <= limit else { return false }
        return width * height * pages <= limit
    }
}
