export type { Failure, Hooks } from '../hooks.ts';
export { combineHooks } from '../observe/combine-hooks.ts';
export { logHooks } from '../observe/log-hooks.ts';
