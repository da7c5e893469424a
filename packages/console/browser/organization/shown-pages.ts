import type { LiveAccount } from '../live/live-account.ts';
import { isSandbox } from '../session/server-kind.ts';
import type { PaletteItem } from '../shell/palette-items.ts';
import { goTo } from './go-to.ts';
import { pageGroups } from './pages.ts';
import { rightsOf } from './rights.ts';

/** The pages of the organization on which a user finds something, in their groups. */
export function shownGroups({ state, user_id }: LiveAccount) {
  const known = state.value;
  const rights = known && rightsOf(known, user_id);
  return pageGroups
    .map(({ title, pages }) => ({
      title,
      pages: pages.filter(
        ({ isFor, isOfSandbox }) =>
          rights && (!isFor || isFor(rights)) && (!isOfSandbox || isSandbox() !== false),
      ),
    }))
    .filter(({ pages }) => pages.length > 0);
}

/** What the palette offers of the organization. */
export const organizationItems = (account: LiveAccount): readonly PaletteItem[] =>
  shownGroups(account).flatMap(({ pages }) =>
    pages.map(({ id, words, icon }) => ({
      title: words.title,
      kind: 'Organization',
      icon,
      run: () => goTo(id),
    })),
  );
