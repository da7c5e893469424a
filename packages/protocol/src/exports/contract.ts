/** The parts that every service with a contract needs. Loads no contract. */
export type { DeliveryFault } from '../webhooks/bot-deliveries/bot-delivery.ts';
export * from '../webhooks/delivery-faults.ts';
export * from '../wire/content-type.ts';
export * from '../wire/decode-text.ts';
export { type Contract, type Endpoint, mayContainSlashes } from '../wire/endpoint.ts';
export * from '../wire/errors.ts';
export { HostName, normalHost } from '../values/host-name.ts';
export * from '../values/json.ts';
export { MAX_IDEMPOTENCY_KEY_LENGTH } from '../values/limits.ts';
export { openapi } from '../wire/openapi.ts';
export type { Permission } from '../wire/permission.ts';
export * from '../wire/route.ts';
export { VERSION } from '../values/version.ts';
export type { WebhookDefinition } from '../wire/webhook-operation.ts';
export * from '../wire/wire.ts';
