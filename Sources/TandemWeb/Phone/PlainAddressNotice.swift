import Foundation
import Transport

/// The page in place of the one for phones, at an address where a browser cannot seal: why, and what helps. It has no script, which anybody on the
/// way could write anew.
enum PlainAddressNotice {
    private struct Words {
        let language: String
        let title: String
        let why: String
        let honest: String
        let waysTitle: String
        /// Each a bold beginning and the rest, as HTML.
        let ways: [(String, String)]
        let program: String
    }

    private static let style = """
        body{margin:0 auto;max-width:40rem;padding:1.5rem 1.25rem;font:1rem/1.55 system-ui,sans-serif;color:#1b2226;background:#f4f5f6}\
        h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.125rem}li{margin:.75rem 0}\
        code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}\
        @media(prefers-color-scheme:dark){body{color:#e3e8ea;background:#111416}a{color:#5bc6d6}}
        """

    private static let headers = PhoneHeaders.notice(style: style)

    static func response(to request: RouteRequest) -> HTTPRouteResponse {
        let authority = RequestAuthority(request.host)
        let words = isChinese(request.header("Accept-Language") ?? "") ? chinese(authority) : english(authority)
        let ways = words.ways.map { "<li><b>\($0)</b> \($1)</li>" }.joined(separator: "\n")
        let page = """
            <!doctype html>
            <html lang="\(words.language)">
            <head>
            <meta charset="utf-8">
            <title>Tandem</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style>\(style)</style>
            </head>
            <body>
            <h1>\(words.title)</h1>
            <p>\(words.why)</p>
            <p>\(words.honest)</p>
            <h2>\(words.waysTitle)</h2>
            <ol>
            \(ways)
            </ol>
            <p>\(words.program)</p>
            </body>
            </html>

            """
        let fields: [(name: String, value: String)] = [
            ("Content-Type", "text/html; charset=utf-8"), ("Vary", "Accept-Language"),
        ]
        return HTTPRouteResponse(fields: headers + fields, body: .bytes(Array(page.utf8)))
    }

    /// Whether a header of RFC 9110, section 12.5.4 wants Chinese before English.
    static func isChinese(_ header: String) -> Bool {
        var best: (language: String, weight: Double) = ("en", 0)
        for range in header.prefix(512).lowercased().split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = parts.first?.split(separator: "-").first.map(String.init), ["en", "zh"].contains(name)
            else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if weight > best.weight { best = (name, weight) }
        }
        return best.language == "zh"
    }

    /// An authority has neither spaces nor slashes, but may have what HTML acts on.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }

    private static func loopback(_ authority: RequestAuthority?) -> String {
        "http://127.0.0.1\(authority?.port.map { ":\($0)" } ?? "")\(PhonePlace.path)"
    }

    private static func english(_ authority: RequestAuthority?) -> Words {
        let host = escaped(authority?.text ?? "")
        return Words(
            language: "en",
            title: "This browser cannot seal here",
            why: """
                A browser becomes a phone of Tandem on a page that came to it encrypted, or from its own machine. This page came \
                from <code>http://\(host)</code>, without a certificate. Here the browser offers no cryptography, and anybody on \
                the way could have written the page.
                """,
            honest: "A page that pretended to seal would look safe and not be. So there is nothing to pair with here.",
            waysTitle: "What helps",
            ways: [
                (
                    "A hub with a certificate.",
                    """
                    On a machine with a name: <code>tandem hub --tls-cert FILE --tls-key FILE</code>. On the computer: \
                    <code>tandem desktop --hub wss://NAME:9001</code>. Its code is a link then, which the phone’s camera opens.
                    """
                ),
                (
                    "A certificate of this computer’s own.",
                    """
                    For a name that leads to it, got by DNS or from a VPN that gives names: <code>tandem desktop --tls-cert \
                    FILE --tls-key FILE --advertise wss://NAME:9001</code>.
                    """
                ),
                (
                    "This machine’s own browser, for trying.",
                    "On the computer itself the page is at <code>\(loopback(authority))</code>."
                ),
            ],
            program: """
                A phone’s program seals by itself and pairs at any address: on the computer, <code>tandem pair show</code>.
                """
        )
    }

    private static func chinese(_ authority: RequestAuthority?) -> Words {
        let host = escaped(authority?.text ?? "")
        return Words(
            language: "zh-Hans",
            title: "浏览器在这里无法加密",
            why: """
                只有经加密传来的页面，或来自本机的页面，才能让浏览器成为 Tandem 的手机。此页面来自 <code>http://\(host)</code>，\
                没有证书：浏览器在这里不提供加密功能，途中的任何人都可能改写了页面。
                """,
            honest: "假装加密的页面看似安全，其实不然。所以这里不能配对。",
            waysTitle: "解决办法",
            ways: [
                (
                    "有证书的中继。",
                    """
                    在有域名的机器上：<code>tandem hub --tls-cert FILE --tls-key FILE</code>。在电脑上：<code>tandem desktop \
                    --hub wss://NAME:9001</code>。之后电脑显示的码就是链接，用手机的相机即可打开。
                    """
                ),
                (
                    "这台电脑自己的证书。",
                    """
                    为指向它的域名申请证书（通过 DNS，或由提供域名的 VPN 签发）：<code>tandem desktop --tls-cert FILE \
                    --tls-key FILE --advertise wss://NAME:9001</code>。
                    """
                ),
                ("本机的浏览器，仅供试用。", "在这台电脑上，页面位于 <code>\(loopback(authority))</code>。"),
            ],
            program: "手机上的程序自行加密，在任何地址都能配对：在电脑上运行 <code>tandem pair show</code>。"
        )
    }
}
