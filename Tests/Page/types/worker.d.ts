// What workers have and the declarations of TypeScript 4.8 do not. Only what the page uses.

/** `self` is a worker of any kind there. What is added is the service worker's, which `sw.js` alone asks for. */
interface WorkerGlobalScope {
    readonly clients: Clients;
    readonly registration: ServiceWorkerRegistration;
    skipWaiting(): Promise<void>;
    addEventListener<K extends keyof ServiceWorkerGlobalScopeEventMap>(type: K, listener: (event: ServiceWorkerGlobalScopeEventMap[K]) => any): void;
    /** Asked for as `self.Response`: what the bare name has cannot be added to. */
    Response: typeof Response & { json(value: any): Response };
    readonly trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): any } };
}

interface ExtendableEvent {
    addRoutes?(rules: { condition: { urlPattern: URLPattern }; source: 'network' }[]): Promise<void>;
}

declare class URLPattern {
    constructor(parts: { pathname: string; baseURL: string });
}

interface FileSystemFileHandle {
    createSyncAccessHandle(): Promise<{
        getSize(): number; write(bytes: Uint8Array, options: { at: number }): number; truncate(size: number): void; flush(): void; close(): void;
    }>;
}

interface WorkerNavigator { setAppBadge?(count?: number): Promise<void> }

/** Only what a picture's points are read with. */
declare var OffscreenCanvas: {
    new (width: number, height: number): {
        getContext(kind: '2d', options?: { willReadFrequently?: boolean }): {
            drawImage(picture: ImageBitmap, x: number, y: number, width: number, height: number): void;
            getImageData(x: number, y: number, width: number, height: number): ImageData;
        };
    };
};
