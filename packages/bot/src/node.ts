export { listener } from './listener.ts';
export { serve } from './serve.ts';
export type { ServeOptions, Serving } from './serve.ts';
