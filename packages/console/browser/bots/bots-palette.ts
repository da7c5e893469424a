import type { LiveAccount } from '../live/live-account.ts';
import { go, href } from '../navigation/location.ts';
import type { PaletteItem } from '../shell/palette-items.ts';
import { managedBots } from './managed-bots.ts';

/** What the palette offers of the bots. */
export function botItems({ state, user_id: self }: LiveAccount): readonly PaletteItem[] {
  const known = state.peek();
  const bots = known ? managedBots(known, self) : [];
  return [
    { title: 'New bot', kind: 'Action', icon: 'plus', run: () => go(href(['bots', 'new'])) },
    ...bots.map(({ user_id, full_name }) => ({
      title: full_name,
      kind: 'Bot',
      icon: 'bot' as const,
      run: () => go(href(['bots', String(user_id)])),
    })),
  ];
}
