export * from '../stores/server-store.ts';
export type * from './store-types.ts';
