export { fetchHandler } from '../adapters/fetch-handler.ts';
export type * from './webhook-types.ts';
