/** The parts that every service with a contract needs. Loads no contract. */
export * from '../content-type.ts';
export * from '../decode-text.ts';
export { type Contract, type Endpoint, mayContainSlashes } from '../endpoint.ts';
export * from '../errors.ts';
export { HostName, normalHost } from '../host-name.ts';
export * from '../json.ts';
export { MAX_IDEMPOTENCY_KEY_LENGTH } from '../limits.ts';
export { openapi } from '../openapi.ts';
export type { Permission } from '../permission.ts';
export * from '../route.ts';
export { VERSION } from '../version.ts';
export type { WebhookDefinition } from '../webhook-operation.ts';
export * from '../wire.ts';
