import Foundation
import Kernel
import Testing

@testable import Push

@Suite("Retry-After")
struct RetryAfterTests {
    /// 1994-11-06T08:49:37Z, the date of RFC 9110's examples.
    private let date = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "seconds and all three dates of HTTP are read, and cut to an hour",
        arguments: [
            ("0", 0), ("120", 120), (" 7 ", 7), ("3600", 3600), ("3601", 3600), ("99999999999999999999999", 3600),
            ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
            ("Sun Nov  6 08:49:47 1994", 10),
            ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("Tue, 08 Nov 1994 08:49:37 GMT", 3600),
            ("Sunday, 06-Nov-60 08:49:47 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:60 GMT", 22),
        ]
    )
    func read(text: String, seconds: Int) {
        #expect(RetryAfter.parse(text, now: date) == .seconds(seconds))
    }

    @Test(
        "anything else is nothing",
        arguments: [
            "", " ", "-1", "+1", "1.5", "soon", "１２", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", String(repeating: "1", count: 41),
        ]
    )
    func refused(text: String) {
        #expect(RetryAfter.parse(text, now: date) == nil)
    }

    @Test("a year of two digits is at most fifty years ahead")
    func century() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now) == date)
        #expect(HTTPDate.parse("Monday, 01-Jan-70 00:00:00 GMT", now: now)?.timeIntervalSince1970 == 3_155_760_000)
    }

    @Test(
        "each status has one meaning",
        arguments: [
            (200, PushOutcome.accepted), (201, .accepted), (202, .accepted), (404, .gone), (410, .gone),
            (413, .tooLarge),
            (429, .later(after: .seconds(30))), (500, .later(after: .seconds(30))), (503, .later(after: .seconds(30))),
            (204, .refused(status: 204)), (301, .refused(status: 301)), (307, .refused(status: 307)),
            (400, .refused(status: 400)),
            (403, .refused(status: 403)),
        ]
    )
    func outcome(status: Int, outcome: PushOutcome) {
        #expect(PushAnswer(status: status, retryAfter: "30").outcome(now: date) == outcome)
    }

    @Test("without a Retry-After the sender chooses when")
    func silent() {
        #expect(PushAnswer(status: 503, retryAfter: nil).outcome(now: date) == .later(after: nil))
        #expect(PushAnswer(status: 429, retryAfter: "soon").outcome(now: date) == .later(after: nil))
    }
}
