export * from '../adapters/fastify.ts';
export type * from './webhook-types.ts';
