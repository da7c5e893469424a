import type { z } from 'zod';

import { changed, withRow } from '../changed.ts';
import type { RealmBotEvent } from './bot-events.ts';
import type { Bot } from './bot.ts';

interface BotState {
  readonly realm_bots?: Bot[] | undefined;
}

/** Applies a `realm_bot` event to the bots that the owner of the state may manage. */
export const applyRealmBot = (state: BotState, event: z.output<typeof RealmBotEvent>): BotState =>
  changed(state, 'realm_bots', (bots) => {
    const { user_id } = event.bot;
    switch (event.op) {
      case 'add':
        return withRow(bots, 'user_id', event.bot);
      case 'update':
        return bots.map((bot) => (bot.user_id === user_id ? { ...bot, ...given(event.bot) } : bot));
      case 'delete':
        return bots.filter((bot) => bot.user_id !== user_id);
    }
  });

/** The changes without undefined keys. */
const given = (changes: object) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
