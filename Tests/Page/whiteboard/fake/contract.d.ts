// Written by Tests/Page/contract.py from contract.json: do not edit.

interface Control {
    "whiteboard.wipe": { params: Record<string, never>; item: never; answer: { epoch: string } };
}

interface Remote {
    "whiteboard.draw": { params: { shape: string }; answer: { artist: string; number: number; shape: string } };
    "whiteboard.strokes": { params: { after?: number; epoch?: string }; answer: { after: number; epoch: string; isEnd: boolean; strokes: { artist: string; number: number; shape: string }[]; success: boolean } };
}
