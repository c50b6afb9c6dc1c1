/** The components that most screens need. A screen imports from here; what few need (camera, pan-zoom, bytes, pictures, select…) from its own file. */
export * from './first.js';
export * from './fields.js';
export * from './switch.js';
export * from './choices.js';
export * from './virtual.js';
