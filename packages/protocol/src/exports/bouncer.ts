/**
 * The contracts of the push bouncer, and what serves them. The contract of the chat server takes 40 MB of
 * memory, which a bouncer does not need.
 */
export * from './contract.ts';
export * from '../bouncer/bouncer-operator.ts';
export {
  AuditAction,
  type AuditRecord,
  type LoggedFeedback,
  type OperatedApp,
  type OperatedDevice,
  type OperatedKey,
  type OperatedServer,
  type ProviderBacklog,
  type QueuedNotification,
} from '../bouncer/operated-records.ts';
export * from '../bouncer/bouncer-traces.ts';
export * from '../bouncer/bouncer-v1.ts';
export * from '../bouncer/bouncer.ts';
export { parseHttpDate } from '../values/calendar-time.ts';
export { CONSOLE_HEADER } from '../wire/console-headers.ts';
export type { AnswerOf } from '../wire/endpoint.ts';
export * from '../wire/parse-retry-after.ts';
export * from '../push/push-options.ts';
export * from '../push/push-outcome.ts';
export * from '../push/push-request.ts';
export * from '../push/push-traces.ts';
export * from '../push/push.ts';
export * from '../push/realm-push-status.ts';
export * from '../wire/trace-context.ts';
