import type { StateOwner } from './event.ts';
import { events, type QueuedEvent } from './events.ts';
import type { InitialState } from './initial-state.ts';

/**
 * The state after an event: what `/register` would answer now. Changes nothing in place. Lists of
 * records are kept in the order of their IDs. Events of a type newer than this client change nothing.
 */
export function applyEvent(
  state: InitialState,
  event: QueuedEvent,
  owner: StateOwner,
): InitialState {
  const { apply } = Object.hasOwn(events, event.type) ? events[event.type] : { apply: undefined };
  if (!apply) return state;
  return apply(state as never, event as never, owner) as InitialState;
}
