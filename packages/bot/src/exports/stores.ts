export type { JsonValue, Store } from '../stores/store.ts';
export { memoryStore } from '../stores/memory-store.ts';
export { guardedStore } from '../stores/guarded-store.ts';
export { storeContract } from '../stores/store-contract.ts';
