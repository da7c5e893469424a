export { combineHooks } from '../observe/combine-hooks.ts';
export { logHooks, type Logger, type LogMethod, type LogOptions } from '../observe/log-hooks.ts';
export type * from './hook-types.ts';
