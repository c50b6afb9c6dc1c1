package import Kernel

/// A story is in a category.
package struct StoryCategory: Hashable, Sendable {
    package var storyId: String
    package var categoryId: String
    /// Members of its record that this version does not know.
    package var extra: [String: JSONValue] = [:]
}
