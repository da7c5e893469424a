import type { EventOf, InitialState } from '@bellhop/protocol';

import { changed, withRow } from './state.ts';

/** Bots the reader may manage. */
export const applyRealmBot = (state: InitialState, event: EventOf<'realm_bot'>): InitialState =>
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

/** Only what was said: a key left undefined is not a change. */
const given = (changes: object) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
