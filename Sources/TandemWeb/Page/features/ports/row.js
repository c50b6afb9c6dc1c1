import { listRow } from '../../kit/index.js';

/** A row whose presses go below its words where there is no width for both. */
export function portRow(parts) {
    const row = listRow(parts);
    row.classList.add('port-row');
    return row;
}
