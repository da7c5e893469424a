export * from '../stores/postgres-store.ts';
export type * from './store-types.ts';
