import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';

import { Icon } from '../controls/icon.tsx';
import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { go, href } from '../navigation/location.ts';
import { Lazy } from '../shell/lazy.tsx';
import { textOf } from '../text/text-of.ts';
import { searchMessages } from './search-messages.ts';
import type { View } from './view.ts';

interface SearchFieldProps {
  readonly account: LiveAccount;
  readonly view: View | undefined;
}

const loadSuggestions = async () => (await import('./search-suggestions.tsx')).SearchSuggestions;

/** Searches by words and operators. The search is in the address. */
export function SearchField({ account, view }: SearchFieldProps) {
  const id = useId();
  const text = useSignal('');
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const words = textOf(new FormData(event.currentTarget).get('q')).trim();
        if (words === '') go(href(['chat']));
        else void searchMessages(account, words).catch(toastError);
      }}
    >
      <Icon name="search" />
      <input
        key={view?.kind === 'search' ? view.text : ''}
        name="q"
        data-search
        class="input"
        aria-label="Search messages"
        placeholder="Search: words, from:, is:starred…"
        autocomplete="off"
        list={id}
        defaultValue={view?.kind === 'search' ? view.text : ''}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      <Lazy load={loadSuggestions} props={{ account, id, text: text.value }} />
    </form>
  );
}
