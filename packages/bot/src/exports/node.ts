export { listener } from '../adapters/listener.ts';
