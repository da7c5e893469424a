export { type Redact, type Redaction, redactHooks, redactor } from '../trust/redactor.ts';
export type * from './hook-types.ts';
export type * from './message-types.ts';
