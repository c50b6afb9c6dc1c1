// What the fakes put on the window, for tests.

interface Window {
    fake: import('../fake/fake.js').FakeClient;
    parts: typeof import('/kit/index.js');
    pressed: string[];
    finishWork(value?: any): void;
}
