import type { LiveAccount } from '../live/live-account.ts';
import { go } from '../navigation/location.ts';
import { hrefOf } from './href-of.ts';

/** Shows the messages that a search finds. */
export async function searchMessages(
  { state, user_id }: LiveAccount,
  words: string,
): Promise<void> {
  const { withAddresses } = await import('./search-text.ts');
  const known = state.peek();
  const text = known ? withAddresses(words, known, user_id) : words;
  go(hrefOf({ kind: 'search', text }));
}
