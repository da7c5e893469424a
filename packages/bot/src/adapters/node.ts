export { listener } from './listener.ts';
export { botOptions, run } from './run.ts';
export { serve } from './serve.ts';
export type { ServeOptions, Serving } from './serve.ts';
