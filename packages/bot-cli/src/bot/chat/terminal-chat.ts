import type { Chat, ChatUser } from '@bellhop/bot/testing';

import { type ChatMessage, printFailure, printNote, printChatMessage } from '../print-chat.ts';

/** A conversation with a bot in the terminal. */
export interface TerminalChat {
  readonly prompt: () => string;
  /** Takes a typed line and prints its effects. Returns false if the conversation ends. */
  readonly enter: (line: string, how: { readonly echo: boolean }) => Promise<boolean>;
  readonly failed: () => boolean;
}

/** A topic of a channel; undefined for direct messages. */
type Conversation = { readonly channel: string; readonly topic: string } | undefined;

const UNITS: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 };
const HELP = '/channel NAME TOPIC, /direct, /as NAME, /wait 10m, /quit; //poll sends /poll';

export function terminalChat(room: Chat): TerminalChat {
  const people = new Map<string, ChatUser>();
  const shown = new Map<number, string>();
  const [uploads, failures, warnings] = [
    unseen(room.uploads),
    unseen(room.failures),
    unseen(room.warnings),
  ];
  let sender = 'You';
  let conversation: Conversation;

  const user = (): ChatUser => {
    const known = people.get(sender) ?? room.user(sender);
    people.set(sender, known);
    return known;
  };
  const voice = (): Pick<ChatUser, 'says'> =>
    conversation ? user().inChannel(conversation.channel, conversation.topic) : user();

  /** Prints new messages, changes of older ones, uploads and failures since the last call. */
  function show(echo: boolean): void {
    for (const said of room.messages) {
      const now = fingerprint(said);
      const before = shown.get(said.id);
      shown.set(said.id, now);
      if (before === now || (said.via === 'user' && before === undefined && !echo)) continue;
      if (before === undefined || said.via !== 'user') printChatMessage(said);
      else printNote(said.reactions.map((emoji) => `:${emoji}:`).join(' ') || 'no reactions');
    }
    for (const id of shown.keys()) {
      if (room.messages.some((said) => said.id === id)) continue;
      shown.delete(id);
      printNote('a message was deleted');
    }
    for (const file of uploads()) printNote(`uploaded ${file.name}, ${file.size} bytes`);
    for (const { message } of warnings()) printNote(message);
    for (const failure of failures()) printFailure(failure, console.log);
  }

  const slashCommands: Readonly<Record<string, (rest: string) => unknown>> = {
    channel(rest) {
      const [channel = '', ...topic] = rest.split(/\s+/);
      if (channel === '') return printNote('Say which: /channel ops releases');
      conversation = {
        channel: channel.replace(/^#/, ''),
        topic: topic.join(' ') || 'general chat',
      };
      printNote(`in #${conversation.channel} > ${conversation.topic}`);
    },
    direct() {
      conversation = undefined;
      printNote('in direct messages');
    },
    as(name) {
      if (name === '') return printNote('Say who: /as Ada');
      sender = name;
      printNote(`as ${sender}`);
    },
    async wait(text) {
      const [, count, unit = ''] = /^(\d+)\s*([smhd])$/.exec(text) ?? [];
      const ms = Number(count) * (UNITS[unit] ?? NaN);
      if (Number.isNaN(ms)) return printNote('Say how long: /wait 30s, 10m, 2h, 1d');
      await room.advance(ms);
      printNote(`${text} later`);
    },
    help: () => printNote(HELP),
  };

  return {
    prompt: () =>
      `${sender}${conversation ? ` #${conversation.channel} > ${conversation.topic}` : ''}:`,
    failed: () => room.failures.length > 0,
    async enter(line, { echo }) {
      const text = line.trim();
      if (text === '') return true;
      const [, name = '', rest = ''] = /^\/(\w+)\s*(.*)$/.exec(text) ?? [];
      if (name === 'quit') return false;
      if (text.startsWith('//')) await voice().says(text.slice(1));
      else if (name === '') await voice().says(text);
      else await (slashCommands[name] ?? (() => printNote(`There is no /${name}: ${HELP}`)))(rest);
      show(echo);
      return true;
    },
  };
}

const fingerprint = ({ content: text, reactions, edits }: ChatMessage) =>
  JSON.stringify([text, edits.length, reactions]);

/** Returns what was added to a list since the last call. */
function unseen<T>(list: readonly T[]): () => T[] {
  let seen = 0;
  return () => {
    const fresh = list.slice(seen);
    seen = list.length;
    return fresh;
  };
}
