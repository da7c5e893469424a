export * from '../stores/redis-store.ts';
export type * from './store-types.ts';
