import { events as definitions, type EventType } from '@bellhop/protocol';

/** An event as a queue delivers it. */
export interface DeliveredEvent {
  readonly id: number;
  readonly type?: string;
}

/**
 * Adds an event to a delivery, or merges it with the last event if the declaration of their type says
 * how. The merged event has the ID of the later one.
 */
export function addEvent(events: DeliveredEvent[], type: EventType, event: DeliveredEvent): void {
  const last = events.at(-1);
  const merge = last?.type === event.type ? definitions[type].merge : undefined;
  const merged = merge?.(last as never, event as never);
  if (merged === undefined) events.push(event);
  else events.splice(-1, 1, { ...(merged as object), id: event.id, type });
}
