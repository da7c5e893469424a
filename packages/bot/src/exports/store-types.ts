// The types of a store, which several entries name.
export type { JsonValue, SetOptions, Store, Stored } from '../stores/store.ts';
