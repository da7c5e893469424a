import type { JsonValue, Store, Stored } from '../stores/store.ts';

/** A store without expiry whose next calls fail, as many as `fail` is given. */
export function plainStore(): Store & { fail: (times: number) => void } {
  const entries = new Map<string, Stored>();
  let versions = 0;
  let failures = 0;
  const failIfDue = async () => {
    if (failures-- > 0) throw new Error('store is down');
  };
  return {
    fail: (times) => void (failures = times),
    async get(key) {
      await failIfDue();
      return entries.get(key);
    },
    async set(key, value: JsonValue, { expected } = {}) {
      await failIfDue();
      if (expected !== undefined && (entries.get(key)?.version ?? null) !== expected)
        return undefined;
      const version = String(++versions);
      entries.set(key, { value, version });
      return version;
    },
    async delete(key) {
      await failIfDue();
      entries.delete(key);
    },
    async list(prefix) {
      await failIfDue();
      return [...entries.keys()].filter((key) => key.startsWith(prefix));
    },
    close: async () => {},
  };
}
