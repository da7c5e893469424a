// The types that every adapter names.
export type { AnyBot } from '../internals.ts';
export type { ResolveBot, WebhookOptions } from '../receiver.ts';
export type * from './hook-types.ts';
