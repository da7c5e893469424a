/** The parts that every service with a contract needs. Loads no contract. */
export type { DeliveryFault } from '../webhooks/bot-deliveries/bot-delivery.ts';
export * from '../webhooks/delivery-faults.ts';
export * from '../wire/content-type.ts';
export * from '../wire/decode-text.ts';
export { mayContainSlashes } from '../wire/endpoint.ts';
export type { Access, AskOf, Contract, Endpoint, Locks, ParamsOf } from '../wire/endpoint.ts';
export * from '../wire/errors.ts';
export type {
  ChannelGroupSetting,
  RealmGroupSetting,
  UserGroupSetting,
} from '../wire/group-settings.ts';
export { HostName, normalHost } from '../values/host-name.ts';
export * from '../values/json.ts';
export { MAX_IDEMPOTENCY_KEY_LENGTH } from '../values/limits.ts';
export type { JsonObject } from '../wire/json-schema.ts';
export { type ApiInfo, openapi } from '../wire/openapi.ts';
export type { Grant, Permission } from '../wire/permission.ts';
export * from '../wire/route.ts';
export { VERSION } from '../values/version.ts';
export type { WebhookDefinition } from '../wire/webhook-operation.ts';
export * from '../wire/wire.ts';
