// What the whiteboard's fake puts on the window, for its test.

interface Window {
    board: {
        scenario: Set<string>;
        draw(device: string, shape: string, isTold?: boolean): { number: number; artist: string; shape: string };
        wipe(device: string): void;
    };
}
