import { suggestions } from '../list/suggestions.ts';
import type { LiveAccount } from '../live/live-account.ts';
import { searchKeys } from './search-text.ts';

interface SearchSuggestionsProps {
  readonly account: LiveAccount;
  readonly id: string;
  /** The search so far. */
  readonly text: string;
}

/** The operators and values that complete a search. */
export function SearchSuggestions({ account, id, text }: SearchSuggestionsProps) {
  const state = account.state.value;
  return (
    <datalist id={id}>
      {state &&
        suggestions(text, searchKeys(state)).map((value) => <option key={value} value={value} />)}
    </datalist>
  );
}
