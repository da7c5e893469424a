// Runs in the browser: shows the notifications of each phone, the newest first.

const titles = {
  test: () => 'Test notification',
  remove: ({ message_ids }) => `Clear ${message_ids.length} read`,
  message: ({ sender_full_name, channel_name, topic }) =>
    channel_name === undefined
      ? sender_full_name
      : `${sender_full_name}, #${channel_name} > ${topic}`,
};
const texts = {
  test: () => 'It works: the phone has decrypted this.',
  remove: ({ message_ids }) => `Messages ${message_ids.join(', ')}`,
  message: ({ content }) => content,
};

function element(name, content) {
  const made = document.createElement(name);
  made.append(...(Array.isArray(content) ? content : [content]));
  return made;
}

function card({ payload, received_at, encrypted_data }) {
  const from = `${payload.realm_name}, ${new Date(received_at).toLocaleTimeString()}`;
  return element('li', [
    element('header', from),
    element('strong', titles[payload.type]?.(payload) ?? payload.type),
    element('div', texts[payload.type]?.(payload) ?? ''),
    element('details', [
      element('summary', 'Decrypted'),
      element('code', JSON.stringify(payload, null, 1)),
    ]),
    element('details', [element('summary', 'Encrypted'), element('code', encrypted_data)]),
  ]);
}

const shown = new Map();

function show({ name, ...received }) {
  const phone = [...document.querySelectorAll('.phone')].find((one) => one.dataset.name === name);
  const seen = shown.get(name) ?? new Set();
  if (!phone || seen.has(received.seq)) return;
  shown.set(name, seen.add(received.seq));
  phone.querySelector('ol').prepend(card(received));
}

async function showAll() {
  const phones = await (await fetch('phones')).json();
  for (const { name, inbox } of phones) for (const received of inbox) show({ name, ...received });
}

const events = new EventSource('phones/events');
// Also after a lost connection: loads what arrived meanwhile.
events.addEventListener('open', () => void showAll());
events.addEventListener('message', ({ data }) => show(JSON.parse(data)));
