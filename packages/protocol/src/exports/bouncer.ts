/**
 * The contracts of the push bouncer, and what serves them. The contract of the chat server takes 40 MB of
 * memory, which a bouncer does not need.
 */
export * from './contract.ts';
export * from '../bouncer-operator.ts';
export * from '../bouncer-traces.ts';
export * from '../bouncer-v1.ts';
export * from '../bouncer.ts';
export { parseHttpDate } from '../calendar-time.ts';
export { CONSOLE_HEADER } from '../console-headers.ts';
export type { AnswerOf, ParamsOf } from '../endpoint.ts';
export * from '../parse-retry-after.ts';
export * from '../push-options.ts';
export * from '../push-outcome.ts';
export * from '../push-request.ts';
export * from '../push-traces.ts';
export * from '../push.ts';
export * from '../realm-push-status.ts';
export * from '../trace-context.ts';
