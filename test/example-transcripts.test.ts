import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { memoryStore } from '@bellhop/bot/stores';
import { chat, type ChatUser } from '@bellhop/bot/testing';
import makeAgent from '@bellhop/examples/agent-bot';
import makeDeploy from '@bellhop/examples/deploy-bot';
import makeEcho from '@bellhop/examples/echo-bot';
import makeHelpDesk from '@bellhop/examples/help-desk-bot';
import makeHook from '@bellhop/examples/hook-bot';
import makeDice from '@bellhop/examples/multi-bot';
import makeOnCall from '@bellhop/examples/oncall-bot';
import makePoll from '@bellhop/examples/poll-bot';
import makeReminder from '@bellhop/examples/reminder-bot';
import makeSummarizer from '@bellhop/examples/summarizer-bot';
import { expect, test } from 'vitest';

type ChatBotOptions = Parameters<typeof makeEcho>[0] & { email: string; token: string };

const examples = {
  'echo-bot': makeEcho,
  'help-desk-bot': makeHelpDesk,
  'poll-bot': makePoll,
  'reminder-bot': makeReminder,
  'deploy-bot': (options: ChatBotOptions) => makeDeploy(options, async () => {}),
  'summarizer-bot': makeSummarizer,
  'oncall-bot': makeOnCall,
  'agent-bot': makeAgent,
  'hook-bot': makeHook,
  'multi-bot': (options: ChatBotOptions) => makeDice(options, (below) => below - 3),
};

/** The conversation of each example in the README: a heading, and below it a block of text. */
const readme = await readFile(join(import.meta.dirname, '../examples/README.md'), 'utf8');
const told = new Map(
  readme.split(/^## /m).map((part) => {
    const [, name = '', , block = ''] =
      /^\[([\w-]+)\][^]*?(`{3,4})text\n([^]*?)\2/.exec(part) ?? [];
    return [name, block] as const;
  }),
);

const PASSES: Readonly<Record<string, number>> = {
  '(five minutes later)': 300_000,
  '(an hour later)': 3_600_000,
};

/**
 * Messages begin with who says them, and may name another place than the usual one; time passes at the
 * line that says so.
 */
const turnsOf = (block: string) =>
  block.trimEnd().split(/\n(?=(?:(?:Ada|Grace)(?: in #[^:\n]+)?|[\w ]+ Bot): |\([\w ]+ later\))/);

test.for(Object.entries(examples))(
  'examples/README.md shows the conversation of %s',
  async ([name, makeBot]) => {
    const turns = turnsOf(told.get(name) ?? '');
    const [botName = ''] = turns.map((turn) => /^.*? Bot(?=: )/.exec(turn)?.[0]).filter(Boolean);
    const room = chat((options) => makeBot({ ...options, store: memoryStore(options.clock) }), {
      name: botName,
    });
    const people = new Map<string, ChatUser>();
    for (const turn of turns) {
      const [, who = '', channel = 'general', topic = 'try', text = ''] =
        /^([\w ]+?)(?: in #(\w+) > ([^:]+))?: ([^]*)$/.exec(turn) ?? [];
      if (who === '') await room.advance(PASSES[turn] ?? NaN);
      else if (who !== botName) {
        const user = people.get(who) ?? room.user(who, { role: 'moderator' });
        people.set(who, user);
        await user.inChannel(channel, topic).says(text);
      }
    }
    const said = turns.filter((turn) => !turn.startsWith('('));
    expect(room.transcript()).toEqual(said.map((turn) => turn.replace(/^(\w+) in #[^:]+/, '$1')));
  },
);
