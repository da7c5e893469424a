import { foldCase } from '@bellhop/protocol';

import { pathOf, type View } from '../view.ts';

/** The destination of a message. */
export type Destination =
  | { readonly type: 'channel'; readonly channel: number; readonly topic: string }
  | { readonly type: 'direct'; readonly users: readonly number[] };

/** The destination of a view; of a channel as a whole it needs a topic. */
export function destinationOf(view: View, topic: string): Destination | undefined {
  switch (view.kind) {
    case 'topic':
      return { type: 'channel', channel: view.channel, topic: view.topic };
    case 'channel':
      return { type: 'channel', channel: view.channel, topic };
    case 'direct':
      return { type: 'direct', users: view.users };
    default:
      return undefined;
  }
}

/** The parameters of `POST /messages` for a destination. */
export const sendParams = (to: Destination) =>
  to.type === 'channel'
    ? { type: 'channel' as const, to: to.channel, topic: to.topic }
    : { type: 'direct' as const, to: [...to.users] };

/** The conversation of a destination. */
export const viewOfDestination = (to: Destination): View =>
  to.type === 'channel'
    ? { kind: 'topic', channel: to.channel, topic: to.topic }
    : { kind: 'direct', users: to.users };

/** Whether a view shows the unsent messages to a destination. Collections and searches show none. */
export function isShownIn(view: View, to: Destination): boolean {
  if (view.kind === 'all') return true;
  if (view.kind === 'channel') return to.type === 'channel' && to.channel === view.channel;
  return placeOf(view) === placeOf(viewOfDestination(to));
}

/** The same for all spellings of a topic. */
export const placeOf = (view: View): string => foldCase(pathOf(view).join('/'));
