export * from '../stores/file-store.ts';
export type * from './store-types.ts';
