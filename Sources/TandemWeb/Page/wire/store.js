/**
 * What the wire keeps: values under keys in a few tables. A value is what a structured clone can hold, keys of WebCrypto too.
 *
 * @typedef {{table: string, key: string, value?: any, remove?: boolean}} Write
 * @typedef {Object} Store
 * @property {(table: string, key: string) => Promise<any>} get Undefined where there is nothing.
 * @property {(table: string) => Promise<{key: string, value: any}[]>} list In the order of their keys.
 * @property {(table: string, from: string, to: string, options?: {limit?: number, isBack?: boolean}) => Promise<{key: string, value: any}[]>} range Those whose
 *   keys are from `from` to `to`, both of them too; from the end where `isBack`.
 * @property {(table: string, key: string, value: any) => Promise<void>} put
 * @property {(table: string, key: string) => Promise<void>} delete
 * @property {(writes: Write[]) => Promise<void>} write All of it or nothing.
 */

/** The tables of the wire itself. */
export const TABLES = ['keys', 'computers', 'sessions', 'queue'];
