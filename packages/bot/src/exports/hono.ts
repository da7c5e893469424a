export * from '../adapters/hono.ts';
export type * from './webhook-types.ts';
