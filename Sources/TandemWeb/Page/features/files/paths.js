/** Paths of a computer, in its own style: `/home/ada/work` or `C:\Users\Ada\work`. */

export function isWindowsPath(path) { return /^[A-Za-z]:([\\/]|$)/.test(path) || path.startsWith('\\\\'); }

function separatorOf(path) { return isWindowsPath(path) ? '\\' : '/'; }

/** A folder's path and a name, or several with `/` between. */
export function joinPath(folder, name) {
    if (!folder) return name;
    const mark = separatorOf(folder);
    const rest = mark === '\\' ? name.replaceAll('/', '\\') : name;
    return /[\\/]$/.test(folder) && (mark === '\\' || folder.endsWith('/')) ? folder + rest : folder + mark + rest;
}

/** The folder above; null above the first. */
export function parentPath(path) {
    const all = segments(path);
    return all.length > 1 ? all.at(-2).path : null;
}

export function lastName(path) { return segments(path).at(-1)?.name ?? path; }

/**
 * The parts of a path, each with the path that leads to it.
 *
 * @returns {{name: string, path: string}[]}
 */
export function segments(path) {
    if (!path) return [];
    if (path.startsWith('\\\\')) {
        const [host, share, ...rest] = path.slice(2).split('\\').filter(Boolean);
        return grown(`\\\\${host}\\${share ?? ''}`, rest, '\\');
    }
    if (isWindowsPath(path)) {
        const [drive, ...rest] = path.split(/[\\/]/).filter(Boolean);
        return grown(`${drive}\\`, rest, '\\', drive);
    }
    return grown('/', path.split('/').filter(Boolean), '/');
}

function grown(root, names, mark, rootName = root) {
    const found = [{ name: rootName, path: root }];
    for (const name of names) found.push({ name, path: found.at(-1).path + (found.at(-1).path.endsWith(mark) ? '' : mark) + name });
    return found;
}
