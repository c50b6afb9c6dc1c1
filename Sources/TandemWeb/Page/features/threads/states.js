/** Whether a person is waited for. */
export function isWaiting(state) { return state === 'approval' || state === 'input'; }

/** What tells a thread from all others of a computer. */
export function keyOf({ source, id }) { return `${source} ${id}`; }
