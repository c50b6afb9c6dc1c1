/** A store in memory, for tests: values are copied as a database copies them. */
export function memoryStore() {
    const tables = new Map();
    const table = (name) => {
        if (!tables.has(name)) tables.set(name, new Map());
        return tables.get(name);
    };
    const copy = (value) => (value === undefined ? undefined : structuredClone(value));
    const store = {
        names: () => [...tables.keys()],
        get: async (name, key) => copy(table(name).get(key)),
        list: async (name) => [...table(name)].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, value]) => ({ key, value: copy(value) })),
        range: async (name, from, to, { limit = Infinity, isBack = false } = {}) => {
            const found = [...table(name)].filter(([key]) => key >= from && key <= to).sort(([one], [other]) => (one < other ? -1 : 1));
            return (isBack ? found.reverse() : found).slice(0, limit).map(([key, value]) => ({ key, value: copy(value) }));
        },
        put: (name, key, value) => store.write([{ table: name, key, value }]),
        delete: (name, key) => store.write([{ table: name, key, remove: true }]),
        write: async (writes) => {
            for (const { table: name, key, value, remove } of writes) {
                if (remove) table(name).delete(key);
                else table(name).set(key, copy(value));
            }
        },
    };
    return store;
}
