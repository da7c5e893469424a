export { memoryStore, type MemoryStoreOptions } from '../stores/memory-store.ts';
export {
  type Awaitable,
  guardedStore,
  type NewEntry,
  type Storage,
  type StoredText,
} from '../stores/guarded-store.ts';
export {
  storeContract,
  type StoreContractCase,
  type TestedStore,
} from '../stores/store-contract.ts';
export type * from './store-types.ts';
