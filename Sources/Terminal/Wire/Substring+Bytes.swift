extension Substring {
    /// The longest prefix of whole characters that fits into `limit` bytes of UTF-8, `limit` at least 4.
    package func prefix(bytes limit: Int) -> Substring {
        guard utf8.count > limit else { return self }
        var cut = utf8.index(startIndex, offsetBy: limit)
        while utf8[cut] & 0xC0 == 0x80 { utf8.formIndex(before: &cut) }
        return self[..<cut]
    }
}
