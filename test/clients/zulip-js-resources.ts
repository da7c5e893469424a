import zulip from 'zulip-js';

// Calls every method of every resource of a client that nobody here wrote, and prints the `result`
// of each answer, or its `code` or `msg`. The client is an administrator with a password.
const [realm = '', username = '', password = ''] = process.argv.slice(2);
const client = await zulip({ username, password, realm });

const answers: Record<string, string> = {};

async function call(name: string, params?: unknown): Promise<Record<string, unknown>> {
  const method = name
    .split('.')
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], client);
  const answer = await (method as (of?: unknown) => Promise<Record<string, unknown>>)(params);
  answers[name] = String(
    answer['result'] === 'success' ? 'success' : (answer['code'] ?? answer['msg']),
  );
  return answer;
}

const subscriptions = JSON.stringify([{ name: 'zulip-js' }]);
await call('users.me.subscriptions.add', { subscriptions });
const stream_id = (await call('streams.getStreamId', 'zulip-js'))['stream_id'];
await call('streams.retrieve');
await call('streams.subscriptions.retrieve');

const message = { type: 'stream', to: 'zulip-js', topic: 'resources', content: 'one' };
const message_id = (await call('messages.send', message))['id'];
const narrow = [{ operator: 'channel', operand: 'zulip-js' }];
await call('messages.retrieve', { anchor: 'newest', num_before: 5, num_after: 0, narrow });
await call('messages.render', 'a **b**');
await call('messages.update', { message_id, content: 'two' });
await call('messages.flags.add', { flag: 'starred', messages: [message_id] });
await call('messages.flags.remove', { flag: 'starred', messages: [message_id] });
await call('messages.getById', { message_id });
await call('messages.getHistoryById', { message_id });
await call('streams.topics.retrieve', { stream_id });
await call('reactions.add', { message_id, emoji_name: 'octopus' });
await call('reactions.remove', { message_id, emoji_name: 'octopus' });
await call('reactions.add', { message_id, emoji_name: 'octopus' });
await call('messages.deleteReactionById', { message_id, emoji_name: 'octopus' });
await call('messages.deleteById', { message_id });

const queue = await call('queues.register', { event_types: ['message'] });
const { queue_id, last_event_id } = queue;
await call('events.retrieve', { queue_id, last_event_id, dont_block: true });
await call('queues.deregister', { queue_id });

const email = `new-${Date.now()}@chat.test`;
const created = await call('users.create', {
  email,
  full_name: 'New',
  password: 'a long password',
});
await call('users.retrieve');
await call('users.me.getProfile');
await call('users.me.alertWords.retrieve');
await call('typing.send', { op: 'start', to: [created['user_id'], created['user_id']] });
await call('users.me.pointer.retrieve');
await call('users.me.pointer.update', 1);
await call('users.me.subscriptions.remove', { subscriptions: JSON.stringify(['zulip-js']) });
await call('streams.deleteById', { stream_id });

await call('emojis.retrieve');
await call('filters.retrieve');
await call('server.settings');
await call('accounts.retrieve');
console.log(JSON.stringify(answers));
