export { fetchHandler } from '../adapters/fetch-handler.ts';
