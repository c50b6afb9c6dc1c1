/** The components of the frame and of the screens where pages begin, which import from here: all of it is fetched at the start. */
export * from './address.js';
export * from './h.js';
export * from './icon.js';
export * from './button.js';
export * from './states.js';
export * from './failure.js';
export * from './banner.js';
export * from './toast.js';
export * from './list.js';
export * from './menu.js';
export * from './dialog.js';
export * from './chip.js';
export * from './text.js';
export * from './safe.js';
