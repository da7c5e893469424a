import { api } from '../api/api.ts';
import { ReceivedSlackWebhook, ReceivedWebhook } from '../webhooks/outgoing-webhook.ts';
import { describe } from './describe.ts';
import { type PlainContract, plainEndpoint } from './plain-endpoint.ts';
import type { Shape } from './shape.ts';

interface Shapes {
  readonly api: PlainContract;
  readonly receivedWebhook: Shape;
  readonly receivedSlackWebhook: Shape;
}

/**
 * The contract as data. The published package has the data in the place of this module (`bake.ts`), so
 * that a bot neither loads nor installs zod.
 */
export const shapes: Shapes = {
  api: Object.fromEntries(
    Object.entries(api).map(([resource, endpoints]) => [
      resource,
      Object.fromEntries(
        Object.entries(endpoints).map(([name, endpoint]) => [name, plainEndpoint(endpoint)]),
      ),
    ]),
  ),
  receivedWebhook: describe(ReceivedWebhook),
  receivedSlackWebhook: describe(ReceivedSlackWebhook),
};
