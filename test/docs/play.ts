import { chat } from '@bellhop/bot/testing';

type Subject = Parameters<typeof chat>[0];

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * `Ada: text`, or in a channel `Ada in #ops > releases: text`, and with `to` for `in` without a mention
 * of the bot. Only these names speak: a bot's `Usage: ...` is no turn.
 */
const SPOKEN = /^(Ada|Grace|Alan|Bot)(?: (in|to) #(\S+) > ([^:]+))?: (.*)$/;
const PASSES = /^\((\d+) (s|min|h|d) pass(?:es)?\)$/;
const AGAIN = '(the message arrives again)';

/**
 * Plays the turns of a conversation with a bot and lets its times pass. Returns the conversation with
 * the bot's actual replies. Throws the error of a handler that fails.
 */
export async function play(subject: Subject, conversation: string): Promise<string> {
  const room = chat(subject);
  const users = new Map<string, ReturnType<typeof room.user>>();
  const played: string[] = [];
  let heard = 0;
  let going: Promise<unknown> = Promise.resolve();

  const listen = () => {
    for (const { sender, content } of room.messages.slice(heard))
      if (sender.fullName === 'Bot') played.push(`Bot: ${content}`);
    heard = room.messages.length;
  };

  const turns = turnsOf(conversation);
  for (const [index, turn] of turns.entries()) {
    played.push(turn);
    const [, count, unit = ''] = PASSES.exec(turn) ?? [];
    const [, name = '', how, channel, topic = '', first = ''] = SPOKEN.exec(turn) ?? [];
    if (count !== undefined) await room.advance(Number(count) * (UNITS[unit] ?? NaN));
    else if (turn === AGAIN) going = room.redeliver();
    else if (name === '') throw new Error(`This is no turn of a conversation: "${turn}".`);
    else {
      const user = users.get(name) ?? room.user(name);
      users.set(name, user);
      const text = [first, ...turn.split('\n').slice(1)].join('\n');
      const place = channel === undefined ? undefined : user.inChannel(channel, topic);
      going = how === 'to' && place ? place.writes(text) : (place ?? user).says(text);
    }
    // A slow handler may need the time that passes next to end.
    await (PASSES.test(turns[index + 1] ?? '') ? room.advance(0) : going);
    listen();
  }
  if (room.failures.length > 0) throw room.failures[0]?.error;
  return `${played.join('\n')}\n`;
}

/** The turns without the bot's. A turn begins with a name or a bracket and may have several lines. */
function turnsOf(conversation: string): string[] {
  const turns: string[] = [];
  for (const line of conversation.trimEnd().split('\n')) {
    if (SPOKEN.test(line) || PASSES.test(line) || line === AGAIN) turns.push(line);
    else turns.push(`${turns.pop() ?? ''}\n${line}`);
  }
  return turns.filter((turn) => !turn.startsWith('Bot: '));
}
