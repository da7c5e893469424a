import { type Endpoint, encodeParams, pathVariables } from '@bellhop/protocol';
import type { Person, TestChat } from '@bellhop/server/testing';
import { z } from 'zod';

/** Parameters as they travel: text by name, path variables among them. */
export type Sample = Record<string, string>;

const key = `${'A'.repeat(43)}=`;
let made = 0;

/**
 * What to send where the smallest value of each required parameter will not do. An endpoint whose
 * test fails with "has no sample that succeeds" belongs here.
 */
const particular: Record<string, (chat: TestChat) => Promise<Sample> | Sample> = {
  'POST /fetch_api_key': () => ({ username: 'horatio@chat.test', password: 'a long password 4' }),
  'POST /bots': () => ({ full_name: `Bot ${++made}`, short_name: `sample-${made}` }),
  'GET /get_stream_id': () => ({ stream: 'verona' }),
  'POST /users/me/subscriptions': () => ({ subscriptions: '[{"name":"verona"}]' }),
  'POST /messages': ({ people }) => ({
    type: 'direct',
    to: `[${people.iago.user.id}]`,
    content: 'x',
  }),
  'PATCH /messages/{message_id}': async ({ people: { desdemona } }) => {
    const { client, user } = desdemona;
    const { id } = await client.messages.send({ type: 'direct', to: [user.id], content: 'x' });
    return { message_id: String(id), content: 'y' };
  },
  'GET /messages': () => ({ anchor: 'newest', num_before: '5' }),
  'DELETE /messages/{message_id}/reactions': async ({ people: { desdemona } }) => {
    const asked = { message_id: await messageOf(desdemona), emoji_name: 'tada' };
    await desdemona.client.reactions.add(asked);
    return { ...asked, message_id: String(asked.message_id) };
  },
  'POST /submessage': async ({ people: { desdemona } }) => ({
    message_id: String(await messageOf(desdemona)),
    msg_type: 'widget',
    content: '{}',
  }),
  'POST /typing': ({ people }) => ({ op: 'start', to: `[${people.iago.user.id}]` }),
  'GET /events': async (chat) => ({
    ...(await queue(chat)),
    dont_block: 'true',
  }),
  'GET /user_uploads/{realm_id}/{token}/{filename}': async (chat) => {
    const [realm_id = '', token = '', filename = ''] = (await attachment(chat)).path_id.split('/');
    return { realm_id, token, filename };
  },
  'POST /mobile_push/register': () => ({
    token_kind: 'fcm',
    push_account_id: '7',
    push_public_key: key,
    bouncer_public_key: key,
    encrypted_push_registration: key,
  }),
};

/** Parameters that mean the same everywhere: something of that kind which the owner may see. */
const byName: Record<string, (chat: TestChat) => Promise<string | number> | string | number> = {
  bot_id: async ({ people }) =>
    (
      await people.desdemona.client.bots.create({
        full_name: `Bot ${++made}`,
        short_name: `sample-${made}`,
        bot_type: 3,
        payload_url: 'http://127.0.0.1:9999/',
      })
    ).user_id,
  user_id: ({ people }) => people.iago.user.id,
  queue_id: async (chat) => (await queue(chat)).queue_id,
  stream_id: async ({ people }) =>
    (await people.desdemona.client.channels.id({ stream: 'verona' })).stream_id,
  attachment_id: async (chat) => (await attachment(chat)).id,
  message_id: ({ people: { desdemona } }) => messageOf(desdemona),
  emoji_name: () => 'thumbs_up',
};

async function messageOf({ client, user }: Person) {
  const to = [user.id];
  return (await client.messages.send({ type: 'direct', to, content: 'a sample' })).id;
}

async function attachment({ people: { desdemona } }: TestChat) {
  await desdemona.client.uploads.create({}, { file: new File(['a sample'], 'a.txt') });
  const { attachments } = await desdemona.client.attachments.list();
  const [newest] = attachments;
  if (!newest) throw new Error('no attachment');
  return newest;
}

async function queue({ people: { desdemona } }: TestChat) {
  const { queue_id, last_event_id } = await desdemona.client.queues.register({
    event_types: ['message'],
    fetch_event_types: [],
  });
  if (queue_id === null) throw new Error('no queue');
  return { queue_id, last_event_id: String(last_event_id) };
}

/** Parameters with which the owner of the chat should succeed. */
export async function sampleOf(endpoint: Endpoint, chat: TestChat): Promise<Sample> {
  const own = await particular[endpoint.route]?.(chat);
  if (own) return own;
  const values: Record<string, unknown> = {};
  for (const name of requiredOf(endpoint))
    values[name] = (await byName[name]?.(chat)) ?? smallest(endpoint.params.shape[name]);
  const { fields } = encodeParams(endpoint, '', values);
  const inPath = pathVariables(endpoint.route).map((name) => [name, String(values[name])]);
  return Object.fromEntries([...fields, ...inPath]) as Sample;
}

export const requiredOf = ({ params }: Endpoint): string[] =>
  Object.entries(params.shape)
    .filter(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success)
    .map(([name]) => name);

/** The smallest value of a schema. */
function smallest(schema: z.core.$ZodType | undefined): unknown {
  const json = z.toJSONSchema(schema ?? z.unknown(), { io: 'input', unrepresentable: 'any' });
  return ofJsonSchema(json);
}

function ofJsonSchema(json: z.core.JSONSchema._JSONSchema): unknown {
  if (typeof json === 'boolean') return 'x';
  const first = json.anyOf?.[0] ?? json.oneOf?.[0];
  if (first) return ofJsonSchema(first);
  if (json.const !== undefined) return json.const;
  if (json.enum) return json.enum[0];
  switch (json.type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return json.minItems && json.items && !Array.isArray(json.items)
        ? [ofJsonSchema(json.items)]
        : [];
    case 'object':
      return Object.fromEntries(
        (json.required ?? []).map((name) => [name, ofJsonSchema(json.properties?.[name] ?? {})]),
      );
    default:
      return 'x';
  }
}
