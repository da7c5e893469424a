export { listener } from '../adapters/listener.ts';
export type * from './webhook-types.ts';
