export * from '../adapters/worker.ts';
export type * from './webhook-types.ts';
