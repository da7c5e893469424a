import { type BellhopAdapterConfig, createBellhopAdapter } from '@bellhop/chat-adapter';
import { createMemoryState } from '@chat-adapter/state-memory';
import { Actions, Button, Card, Chat } from 'chat';

/** Asks for approval of a release, with buttons. */
export default function makeBot(config: BellhopAdapterConfig = {}) {
  const bot = new Chat({
    userName: 'releases',
    adapters: { bellhop: createBellhopAdapter(config) },
    state: createMemoryState(),
    concurrency: 'queue',
    logger: 'warn',
  });

  bot.onNewMention(async (thread, message) => {
    const version = /release (\S+)/i.exec(message.text)?.[1];
    if (version === undefined) return void (await thread.post('Say `release 2.1`, for example.'));
    await thread.post(
      Card({
        title: `Release ${version}?`,
        children: [
          Actions([
            Button({ id: 'approve', label: `Approve ${version}`, value: version }),
            Button({ id: 'reject', label: `Reject ${version}`, value: version }),
          ]),
        ],
      }),
    );
  });

  bot.onAction(
    ['approve', 'reject'],
    async ({ adapter, threadId, messageId, actionId, value, user }) => {
      const done = actionId === 'approve' ? 'approved' : 'rejected';
      await adapter.editMessage(
        threadId,
        messageId,
        `Release ${value}: ${done} by ${user.fullName}.`,
      );
    },
  );
  return bot;
}

// BOT_SITE, BOT_EMAIL and BOT_API_KEY are the login of the bot, which reads the event queue.
if (import.meta.main) await makeBot({ mode: 'polling' }).initialize();
