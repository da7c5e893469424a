export * from '../adapters/express.ts';
export type * from './webhook-types.ts';
