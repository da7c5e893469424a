/** The parts of the protocol that need no zod at run time, for bots and their client. */
import type { ReceivedSlackWebhook, ReceivedWebhook } from '../webhooks/outgoing-webhook.ts';
import { shapeReader } from './shape-reader.ts';
import { shapes } from './shapes.ts';

export { ApiError, type ErrorCode, errors } from '../wire/errors.ts';
export { escapeHtml } from '../values/escape-html.ts';
export { calledBots, concernedBots } from '../webhooks/called-bots.ts';
export * from '../values/calendar-time.ts';
export * from '../wire/content-type.ts';
export * from '../wire/decode-text.ts';
export { foldCase } from '../values/fold-case.ts';
export * from '../values/json.ts';
export { nameAndId, userMention, wildcardOf } from '../chat/messages/mention-syntax.ts';
export * from '../wire/parse-retry-after.ts';
export * from '../values/plain-form.ts';
export * from '../wire/route.ts';
export * from '../chat/users/roles.ts';
export { encodeForms, type Form } from '../wire/wire.ts';
export type { PlainContract, PlainEndpoint } from './plain-endpoint.ts';
export { type Reading, shapeReader } from './shape-reader.ts';
export type { Shape } from './shape.ts';
export type { Wildcard } from '../chat/messages/mention-syntax.ts';
export type { ChangedMessage, SentMessage } from '../webhooks/called-bots.ts';
export type {
  ReceivedSlackWebhook,
  ReceivedWebhook,
  WebhookTrigger,
} from '../webhooks/outgoing-webhook.ts';
export type { Access, Endpoint, Locks } from '../wire/endpoint.ts';
export type { ApiErrorOptions } from '../wire/errors.ts';
export type {
  ChannelGroupSetting,
  RealmGroupSetting,
  UserGroupSetting,
} from '../wire/group-settings.ts';
export type { Grant, Permission } from '../wire/permission.ts';
export type { Encoded, ParameterPlan } from '../wire/wire.ts';

/** Every endpoint of the API, as data. */
export const plainApi = shapes.api;

const readWebhook = shapeReader(shapes.receivedWebhook);
const readSlackWebhook = shapeReader(shapes.receivedSlackWebhook);

/** Reads a webhook payload (spec, Outgoing webhook payload); undefined if it is not one. */
export function receivedWebhook(body: unknown): ReceivedWebhook | undefined {
  const reading = readWebhook(body);
  return reading.success ? (reading.data as ReceivedWebhook) : undefined;
}

/** Reads the Slack-compatible form; undefined if the fields are not those. */
export function receivedSlackWebhook(fields: unknown): ReceivedSlackWebhook | undefined {
  const reading = readSlackWebhook(fields);
  return reading.success ? (reading.data as ReceivedSlackWebhook) : undefined;
}
