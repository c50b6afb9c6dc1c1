package import Foundation

#if canImport(Glibc)
    import Glibc
#endif

extension TimeZone {
    /// The computer's time zone as it is set now. On Linux Foundation reads it once, and a program that runs for weeks would keep the zone that a
    /// laptop began its journey in.
    package static var ofSystemNow: TimeZone {
        #if canImport(Glibc)
            var now = time(nil)
            var local = tm()
            // Unlike localtime(3), localtime_r(3) need not look whether the zone was changed.
            tzset()
            guard localtime_r(&now, &local) != nil else { return .autoupdatingCurrent }
            return TimeZone(secondsFromGMT: local.tm_gmtoff) ?? .autoupdatingCurrent
        #else
            return .autoupdatingCurrent
        #endif
    }
}
