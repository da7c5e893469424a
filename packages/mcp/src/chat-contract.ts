import {
  api,
  Channel,
  DisplayRecipient,
  type Endpoint,
  FetchedMessage,
  Reaction,
  User,
} from '@bellhop/protocol';
import { z } from 'zod';

const ChatMessage = FetchedMessage.pick({
  id: true,
  stream_id: true,
  subject: true,
  content: true,
  sender_id: true,
  sender_full_name: true,
  timestamp: true,
  last_edit_timestamp: true,
}).extend({
  display_recipient: z.union([
    z.string(),
    z.array(DisplayRecipient.pick({ id: true, full_name: true })),
  ]),
  reactions: z.array(Reaction.pick({ emoji_name: true })),
});
/** The parts of a message that tools use. */
export type ChatMessage = z.output<typeof ChatMessage>;

const Person = User.pick({ user_id: true, full_name: true, is_active: true, is_bot: true });

/** The operation with no more of its result than is used: servers of other levels send less, or more. */
const reading = <E extends Endpoint, R extends z.ZodRawShape>(
  endpoint: E,
  result: R,
): Omit<E, 'result'> & { readonly result: z.ZodObject<R> } => ({
  ...endpoint,
  result: z.object(result),
});

const { fetch: fetchMessages, fetchOne, send, edit } = api.messages;

/** What tools read by. */
export const readingContract = {
  users: {
    me: reading(api.users.me, Person.shape),
    list: reading(api.users.list, { members: z.array(Person) }),
  },
  channels: {
    list: reading(api.channels.list, {
      streams: z.array(
        Channel.pick({ stream_id: true, name: true, description: true, invite_only: true }),
      ),
    }),
    topics: api.channels.topics,
  },
  messages: {
    fetch: reading(fetchMessages, {
      messages: z.array(ChatMessage),
      found_oldest: fetchMessages.result.shape.found_oldest,
      found_newest: fetchMessages.result.shape.found_newest,
    }),
    fetchOne: reading(fetchOne, { message: ChatMessage }),
  },
};

/** What tools write by. */
export const writingContract = {
  messages: {
    send: reading(send, { id: send.result.shape.id }),
    edit: reading(edit, {}),
  },
  reactions: { add: api.reactions.add },
};
