import type { Realm } from '../../engine/caller.ts';
import { narrowUrl } from '../../markdown/narrow-url.ts';
import type { WholeMessage } from './present-rows.ts';

/** The address of a message in the conversation it belongs to. */
export function messageLink({ url }: Pick<Realm, 'url'>, { message, place }: WholeMessage): string {
  if ('channel' in place) return url + narrowUrl(place.channel, place.topic, message.id);
  const ids = place.participants.map(({ id }) => id).join(',');
  return `${url}/#narrow/dm/${ids}-${place.participants.length > 2 ? 'group' : 'dm'}/near/${message.id}`;
}
