import Foundation
import TandemCommands

/// The program: everything it does is in the library, where tests reach it.
@main
enum Main {
    static func main() async {
        let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        exit(await TandemProgram.run(words.dropFirst().compactMap { $0.map { TandemProgram.argument($0) } }))
    }
}
