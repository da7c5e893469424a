import zulip from 'zulip-js';

// One session of a client that nobody here wrote: it logs in with a password, mentions the bot and
// waits for the reply in its own event loop; reacts to that, and takes it back twice. The loop never
// ends: hence a program of its own.
const [realm = '', username = '', password = ''] = process.argv.slice(2);
const client = await zulip({ username, password, realm });

const post = async (topic: string, content: string) => {
  const sent = await client.messages.send({ type: 'stream', to: 'bots', topic, content });
  if (sent.result !== 'success') throw new Error(JSON.stringify(sent));
};

async function reactTo(message_id: number) {
  const thumb = { message_id, emoji_name: 'thumbs_up', emoji_code: '1f44d' };
  const added = await client.reactions.add(thumb);
  const removed = await client.reactions.remove(thumb);
  const again = await client.reactions.remove({ message_id, emoji_name: '+1' });
  return [added.result, removed.result, again.code];
}

/** Makes every call about messages, and returns the results of those that do not succeed. */
async function tryMessages() {
  const { messages } = client;
  const sent = await messages.send({
    type: 'stream',
    to: 'bots',
    topic: 'calls',
    content: 'first',
  });
  const message_id = sent.id;
  const flag = { messages: [message_id], flag: 'starred' };
  const reaction = { message_id, emoji_name: 'thumbs_up' };
  const narrow = [['is', 'starred']];
  const added = await messages.flags.add(flag);
  const found = await messages.retrieve({ anchor: 'newest', num_before: 1, num_after: 0, narrow });
  const removed = await messages.flags.remove(flag);
  const bold = await messages.render('**bold**');
  const thin = await messages.render({ content: '*thin*' });
  const others = [
    await messages.update({ message_id, content: 'second' }),
    await messages.getById({ message_id }),
    await messages.getHistoryById({ message_id }),
    await client.reactions.add(reaction),
    await messages.deleteReactionById(reaction),
    await messages.deleteById({ message_id }),
  ];
  const results = [sent, added, found, removed, bold, thin, ...others];
  return {
    found: found.messages?.map(({ content }) => content),
    rendered: [bold.rendered, thin.rendered],
    failures: results.filter(({ result }) => result !== 'success'),
  };
}

let listening = false;
const loop = client.callOnEachEvent(
  ({ type, message }) => {
    listening = true;
    if (type !== 'message' || message?.sender_full_name !== 'Echo Bot') return;
    void Promise.all([reactTo(message.id), tryMessages()]).then(([answers, calls]) => {
      console.log(JSON.stringify({ ...message, answers, calls }));
      process.exit(0);
    });
  },
  ['message'],
);
// The client does not say when its queue is registered; any event shows that it is.
while (!listening) await post('is anybody listening', 'not yet');
await post('zulip-js', '@**Echo Bot** hello from zulip-js');
await loop;
