// What browsers have and the declarations of TypeScript 4.8 do not. Only what the page uses.

interface Array<T> {
    toSpliced(start: number, count?: number, ...items: T[]): T[];
}

/** Asked for as `window.AbortSignal`: what the bare name has cannot be added to. */
interface Window {
    AbortSignal: typeof AbortSignal & { any(signals: AbortSignal[]): AbortSignal; timeout(milliseconds: number): AbortSignal };
    showOpenFilePicker?(options?: { multiple?: boolean }): Promise<FileSystemFileHandle[]>;
    showDirectoryPicker?(options?: { mode?: 'read' | 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}

declare var trustedTypes: { createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): unknown } } | undefined;

interface Navigator {
    setAppBadge?(count?: number): Promise<void>;
    clearAppBadge?(): Promise<void>;
    wakeLock: { request(kind: 'screen'): Promise<WakeLockSentinel> };
}

interface WakeLockSentinel { release(): Promise<void> }

interface HTMLElement {
    showPopover(): void;
    hidePopover(): void;
}

interface MediaTrackCapabilities { torch?: boolean }
interface MediaTrackConstraintSet { torch?: boolean }

declare class BarcodeDetector {
    static getSupportedFormats(): Promise<string[]>;
    constructor(options: { formats: string[] });
    detect(picture: ImageBitmapSource): Promise<{ rawValue: string }[]>;
}

declare class OffscreenCanvas extends EventTarget {
    constructor(width: number, height: number);
    width: number;
    height: number;
    getContext(kind: '2d', options?: CanvasRenderingContext2DSettings): CanvasRenderingContext2D | null;
    convertToBlob(options?: { type?: string; quality?: number }): Promise<Blob>;
}

declare class Highlight {
    constructor(...ranges: Range[]);
}

declare namespace CSS {
    const highlights: Map<string, Highlight> | undefined;
}

interface ToggleEvent extends Event { readonly newState: 'open' | 'closed' }
interface HTMLElementEventMap { toggle: ToggleEvent }

interface ScrollToOptions { behavior?: ScrollBehavior | 'instant' }

/** Nothing of SVG takes the focus on this page. */
interface Document { readonly activeElement: HTMLElement | null }
