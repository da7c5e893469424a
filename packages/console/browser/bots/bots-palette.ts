import type { LiveAccount } from '../live/live-account.ts';
import { go, href } from '../navigation/location.ts';
import { usePaletteItems } from '../shell/palette-items.ts';
import { managedBots } from './managed-bots.ts';

/** Offers the bots in the palette. */
export function useBotsPalette({ state, user_id: self }: LiveAccount): void {
  usePaletteItems(() => {
    const known = state.peek();
    const bots = known ? managedBots(known, self) : [];
    return [
      {
        title: 'New bot',
        kind: 'Action',
        icon: 'plus',
        run: () => go(href(['bots', 'new'])),
      },
      ...bots.map(({ user_id, full_name }) => ({
        title: full_name,
        kind: 'Bot',
        icon: 'bot' as const,
        run: () => go(href(['bots', String(user_id)])),
      })),
    ];
  }, [state]);
}
