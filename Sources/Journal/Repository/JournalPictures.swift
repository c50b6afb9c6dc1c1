package import Pictures

/// Reads pictures: what their header claims, and small forms of them.
package typealias JournalPictures = PhotoEncoder & PictureEncoder
