import Testing
import Transport

@Suite("Paths of routes", .timeLimit(.minutes(4)))
struct RoutePathTests {
    @Test("parameters stand for one segment, the last may stand for all that are left")
    func parameters() throws {
        let one = try RoutePath("/threads/{thread}/media/{id}")
        #expect(one.parameters(of: "/threads/7/media/a.b") == ["thread": "7", "id": "a.b"])
        #expect(one.parameters(of: "/threads/%41%2Bc/media/%C3%BC") == ["thread": "A+c", "id": "ü"])
        let rest = try RoutePath("/pages/{file...}")
        #expect(rest.parameters(of: "/pages/a/b/c.css") == ["file": "a/b/c.css"])
        #expect(try RoutePath("/").parameters(of: "/") == [:])
        #expect(try RoutePath("/a").parameters(of: "/a") == [:])
        #expect(try RoutePath("/a/").parameters(of: "/a/") == [:])
        #expect(try RoutePath("/a/").parameters(of: "/a") == nil)
        #expect(try RoutePath("/a").parameters(of: "/a/") == nil)
    }

    @Test(
        "what is empty, climbs, or hides a slash or a zero byte does not fit",
        arguments: [
            "", "/", "threads/7/media/a", "/threads/7/media", "/threads/7/media/a/b", "/threads//media/a",
            "/threads/7/media/", "/threads/../media/a", "/threads/%2e%2E/media/a", "/threads/./media/a",
            "/threads/a%2Fb/media/a", "/threads/%00/media/a", "/threads/%zz/media/a", "/threads/%4/media/a",
            "/threads/%ff/media/a", "/Threads/7/media/a",
        ]
    )
    func unfit(path: String) throws {
        #expect(try RoutePath("/threads/{thread}/media/{id}").parameters(of: path[...]) == nil)
    }

    @Test(
        "no part of the rest of a path climbs",
        arguments: ["/pages", "/pages/", "/pages/a/../b", "/pages/a/%2e%2e%2fb"]
    )
    func unfitRest(path: String) throws {
        #expect(try RoutePath("/pages/{file...}").parameters(of: path[...]) == nil)
    }

    @Test("longer paths than 4096 bytes fit nothing")
    func long() throws {
        let pattern = try RoutePath("/{name}")
        #expect(pattern.parameters(of: "/" + String(repeating: "a", count: 4095)) != nil)
        #expect(pattern.parameters(of: "/" + String(repeating: "a", count: 4096)) == nil)
    }

    @Test(
        "a pattern that says nothing clear is refused",
        arguments: [
            "", "a", "/a//", "//", "//a", "/a b", "/{}", "/{a}/{a}", "/{a...}/b", "/a{b}", "/..", "/é", "/a?b",
            "/{a/b}",
            "/" + String(repeating: "a", count: 256),
        ]
    )
    func malformed(pattern: String) {
        #expect(throws: RouteError.malformedPath(pattern)) { try RoutePath(pattern) }
    }
}
