import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many files and sockets this process may have open.
package enum DescriptorLimit {
    /// Descriptors left for everything that is no connection: the server's database, terminals, files under way, other programs.
    static let kept = 256

    /// The limit now in force.
    package static var current: Int { limits().soft }

    /// Raises the soft limit to the hard one. Many systems start programs with 1,024 for the sake of programs from the eighties.
    ///
    /// - Returns: The limit in force from now on.
    @discardableResult
    package static func raise() -> Int {
        let (soft, hard) = limits()
        guard soft < hard else { return soft }
        var wanted = rlimit()
        wanted.rlim_cur = rlim_t(hard)
        wanted.rlim_max = rlim_t(hard)
        return setrlimit(Self.resource, &wanted) == 0 ? hard : soft
    }

    private static func limits() -> (soft: Int, hard: Int) {
        var limits = rlimit()
        guard getrlimit(resource, &limits) == 0 else { return (1024, 1024) }
        // "Unlimited" is a number beyond every table the system has.
        return (Int(clamping: limits.rlim_cur), min(Int(clamping: limits.rlim_max), 1 << 20))
    }

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var resource: Int32 { RLIMIT_NOFILE }
    #endif
}
