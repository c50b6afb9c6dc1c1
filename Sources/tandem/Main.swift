import Foundation
import TandemCommands

/// The program: everything it does is in the library, where tests reach it.
@main
enum Main {
    static func main() async {
        exit(await TandemProgram.run(Array(CommandLine.arguments.dropFirst())))
    }
}
