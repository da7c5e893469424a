import {
  ApiError,
  badRequest,
  EMPTY_TOPIC_DISPLAY_NAME,
  type InitialState,
  isPublicClient,
  MAX_MESSAGE_LENGTH,
  MAX_TOPIC_LENGTH,
  queueLifespan,
  thisVersion,
} from '@bellhop/protocol';

import type { Call, Resource } from '../call.ts';
import { checkQueueNarrow, compileNarrow } from '../narrow.ts';
import { subscriptionOf } from './subscriptions.ts';
import { newestReceived, userRecord } from './users.ts';

export const queues: Resource<'queues'> = {
  register(call) {
    const { params, user, client, world } = call;
    const narrow = params.narrow ?? [];
    checkQueueNarrow(narrow);
    try {
      compileNarrow(narrow, { world, reader: user });
    } catch (error) {
      throw error instanceof ApiError ? badRequest(error.message) : error;
    }
    const queue_id = world.queues.register({
      user_id: user.user_id,
      apply_markdown: params.apply_markdown,
      client_gravatar: params.client_gravatar ?? true,
      all_public_streams: params.all_public_streams ?? false,
      capabilities: params.client_capabilities,
      reads_public_names: isPublicClient(client),
      event_types: params.event_types ?? null,
      narrow,
    });
    const types = params.fetch_event_types ?? params.event_types ?? null;
    const idle_queue_timeout_secs = queueLifespan(params.idle_queue_timeout);
    const queue = { queue_id, idle_queue_timeout_secs, last_event_id: -1 };
    return { ...queue, ...thisVersion, ...initialState(call, types) };
  },

  async events({ params, user, world, signal }) {
    const { queue_id, last_event_id, dont_block } = params;
    if (queue_id === undefined) throw badRequest("Missing 'queue_id' argument");
    if (last_event_id === undefined) throw badRequest("Missing 'last_event_id' argument");
    const { user_id } = user;
    const poll = { user_id, queue_id, last_event_id, dont_block, signal };
    return { events: [...(await world.queues.poll(poll))], queue_id };
  },

  remove({ params, user, world }) {
    world.queues.remove(user.user_id, params.queue_id);
    return {};
  },
};

/** The parts of the initial state that bots use, for the given event types; null means all. */
function initialState(
  { user, world }: Call<unknown>,
  types: readonly string[] | null,
): Partial<InitialState> {
  const wants = (type: string) => types === null || types.includes(type);
  const { user_id, email, full_name } = user;
  return {
    ...(wants('message') ? { max_message_id: newestReceived(world, user) } : {}),
    ...(wants('realm')
      ? {
          realm_url: world.url,
          realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
          max_message_length: MAX_MESSAGE_LENGTH,
          max_topic_length: MAX_TOPIC_LENGTH,
        }
      : {}),
    ...(wants('realm_user')
      ? { user_id, email, full_name, realm_users: world.accounts.map((one) => userRecord(one)) }
      : {}),
    ...(wants('subscription')
      ? {
          subscriptions: world.channels
            .filter(({ subscribers }) => subscribers.has(user_id))
            .map((channel) => subscriptionOf(world, channel)),
        }
      : {}),
  };
}
