// What `/assets/xterm.js` exports, which set-up takes out of a package: `bin/page-assets`.

export const Terminal: any;
export const FitAddon: any;
export const WebLinksAddon: any;
