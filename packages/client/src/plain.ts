/** The client for programs that do not load zod: bots. */
export type { AskOptions, ClientOptions } from './ask.ts';
export type { Client } from './client.ts';
export * from './connection-failed.ts';
export * from './event-stream.ts';
export { createPlainClient } from './plain-client.ts';
export * from './retry.ts';
export * from './sleep.ts';
export * from './unknown-route.ts';
export * from './upload-file.ts';
export type { Api, AskOf, Contract, QueuedEvent } from '@bellhop/protocol';
export type { ClientOf } from './ask.ts';
export type { FailedConnection } from './connection-failed.ts';
