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

let listening = false;
const loop = client.callOnEachEvent(
  ({ type, message }) => {
    listening = true;
    if (type !== 'message' || message?.sender_full_name !== 'Echo Bot') return;
    void reactTo(message.id).then((answers) => {
      console.log(JSON.stringify({ ...message, answers }));
      process.exit(0);
    });
  },
  ['message'],
);
// The client does not say when its queue is registered; seeing any event, it is.
while (!listening) await post('is anybody listening', 'not yet');
await post('zulip-js', '@**Echo Bot** hello from zulip-js');
await loop;
