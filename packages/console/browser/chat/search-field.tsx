import { Icon } from '../controls/icon.tsx';
import { go, href } from '../navigation/location.ts';
import { hrefOf } from './href-of.ts';
import type { View } from './view.ts';

/** Searches by words and operators. The search is in the address. */
export const SearchField = ({ view }: { view: View | undefined }) => (
  <form
    class="search"
    role="search"
    onSubmit={(event) => {
      event.preventDefault();
      const text = new FormData(event.currentTarget).get('q');
      const words = typeof text === 'string' ? text.trim() : '';
      go(words === '' ? href(['chat']) : hrefOf({ kind: 'search', text: words }));
    }}
  >
    <Icon name="search" />
    <input
      key={view?.kind === 'search' ? view.text : ''}
      name="q"
      data-search
      class="input"
      aria-label="Search messages"
      placeholder="Search: words, is:starred, sender:..."
      defaultValue={view?.kind === 'search' ? view.text : ''}
    />
  </form>
);
