import type { JsonValue, Store, Stored } from '../stores/store.ts';

/** A store without expiry that fails as often as `fail` says. */
export function plainStore(): Store & { fail: (times: number) => void } {
  const kept = new Map<string, Stored>();
  let versions = 0;
  let failures = 0;
  const working = async () => {
    if (failures-- > 0) throw new Error('store is down');
  };
  return {
    fail: (times) => void (failures = times),
    async get(key) {
      await working();
      return kept.get(key);
    },
    async set(key, value: JsonValue, { expected } = {}) {
      await working();
      if (expected !== undefined && (kept.get(key)?.version ?? null) !== expected) return undefined;
      const version = String(++versions);
      kept.set(key, { value, version });
      return version;
    },
    delete: async (key) => void kept.delete(key),
    list: async (prefix) => [...kept.keys()].filter((key) => key.startsWith(prefix)),
    close: async () => {},
  };
}
