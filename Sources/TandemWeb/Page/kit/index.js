/** The components that most screens need. A screen imports from here; what few need (camera, pan-zoom, bytes, pictures, select…) from its own file. */
export * from './h.js';
export * from './icon.js';
export * from './button.js';
export * from './states.js';
export * from './failure.js';
export * from './banner.js';
export * from './toast.js';
export * from './fields.js';
export * from './choices.js';
export * from './list.js';
export * from './menu.js';
export * from './dialog.js';
export * from './chip.js';
export * from './text.js';
export * from './virtual.js';
export * from './safe.js';
export * from './refused.js';
