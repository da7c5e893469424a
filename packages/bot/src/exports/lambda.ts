export * from '../adapters/lambda.ts';
export type * from './webhook-types.ts';
