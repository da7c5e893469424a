import zulip from 'zulip-js';

// One session of a client that nobody here wrote: it logs in with a password, mentions the bot and
// waits for the reply in its own event loop. The loop never ends: hence a program of its own.
const [realm = '', username = '', password = ''] = process.argv.slice(2);
const client = await zulip({ username, password, realm });

const post = async (topic: string, content: string) => {
  const sent = await client.messages.send({ type: 'stream', to: 'bots', topic, content });
  if (sent.result !== 'success') throw new Error(JSON.stringify(sent));
};

let listening = false;
const loop = client.callOnEachEvent(
  ({ type, message }) => {
    listening = true;
    if (type !== 'message' || message?.sender_full_name !== 'Echo Bot') return;
    console.log(JSON.stringify(message));
    process.exit(0);
  },
  ['message'],
);
// The client does not say when its queue is registered; seeing any event, it is.
while (!listening) await post('is anybody listening', 'not yet');
await post('zulip-js', '@**Echo Bot** hello from zulip-js');
await loop;
