import { publicNames } from '../values/public-names.ts';
import type { ResultOf } from '../wire/endpoint.ts';
import type { Api } from './api.ts';
import type { EventOf, EventType } from './events.ts';

/**
 * Whether the program with this name (the first word of its User-Agent) was made for the public servers of
 * this protocol: their clients have their name in theirs. See docs/decisions/0115-names-for-public-clients.md.
 */
export const isPublicClient = (name: string): boolean => /zulip/i.test(name);

type Names = Readonly<Record<string, string>>;

/** The same object if the value of this key has no public name. */
function renamed<T extends object>(one: T, key: keyof T, names: Names): T {
  const name = names[String(one[key])];
  return name === undefined ? one : { ...one, [key]: name };
}

const withEmoji = <T extends { readonly reaction_type?: string | undefined }>(one: T): T =>
  renamed(one, 'reaction_type', publicNames.reaction_type);

interface WithReactions {
  readonly reactions: readonly { readonly reaction_type: string }[];
}
const withReactions = <T extends WithReactions>(message: T): T =>
  message.reactions.some((one) => withEmoji(one) !== one)
    ? { ...message, reactions: message.reactions.map(withEmoji) }
    : message;

interface WithEmojiset {
  readonly emojiset?: string | undefined;
  readonly emojiset_choices?: readonly { readonly key: string }[] | undefined;
}
function withEmojiset<T extends WithEmojiset>(settings: T): T {
  const { emojiset_choices: choices } = settings;
  return {
    ...renamed(settings, 'emojiset', publicNames.emojiset),
    ...(choices && {
      emojiset_choices: choices.map((one) => renamed(one, 'key', publicNames.emojiset)),
    }),
  };
}

const withSetting = <T extends { property: string; value: unknown }>(event: T): T =>
  event.property === 'emojiset' ? renamed(event, 'value', publicNames.emojiset) : event;

const answers = {
  'GET /messages': (answer: ResultOf<Api['messages']['fetch']>) => ({
    ...answer,
    messages: answer.messages.map(withReactions),
  }),
  'GET /messages/{message_id}': (answer: ResultOf<Api['messages']['fetchOne']>) => ({
    ...answer,
    message: withReactions(answer.message),
  }),
  'GET /users/{user_id}/status': (answer: ResultOf<Api['userStatus']['get']>) => ({
    ...answer,
    status: withEmoji(answer.status),
  }),
  'POST /register': (answer: ResultOf<Api['queues']['register']>) => {
    const { user_status, user_settings, realm_user_settings_defaults: defaults } = answer;
    return {
      ...withEmojiset(answer),
      ...(user_status && {
        user_status: Object.fromEntries(
          Object.entries(user_status).map(([id, status]) => [id, withEmoji(status)]),
        ),
      }),
      ...(user_settings && { user_settings: withEmojiset(user_settings) }),
      ...(defaults && { realm_user_settings_defaults: withEmojiset(defaults) }),
    };
  },
};

const events: { readonly [T in EventType]?: (event: EventOf<T>) => EventOf<T> } = {
  message: (event) => {
    const message = withReactions(event.message);
    return message === event.message ? event : { ...event, message };
  },
  reaction: withEmoji,
  user_status: withEmoji,
  user_settings: withSetting,
  realm_user_settings_defaults: withSetting,
  update_display_settings: (event) =>
    event.setting_name === 'emojiset' ? renamed(event, 'setting', publicNames.emojiset) : event,
};

/** Shows answers of an endpoint as public clients read them; undefined if they read them as they are. */
export const publicAnswer = (route: string): ((answer: object) => object) | undefined =>
  (answers as Readonly<Record<string, (answer: never) => object>>)[route] as
    | ((answer: object) => object)
    | undefined;

/** An event as public clients read it: the same object unless a value has another name there. */
export const publicEvent = (type: EventType, event: object): object =>
  (events[type] as ((event: object) => object) | undefined)?.(event) ?? event;
