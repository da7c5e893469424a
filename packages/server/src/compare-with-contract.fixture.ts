import { type Endpoint, Event, parseJson, stringifyJson } from '@bellhop/protocol';

import type { Observer } from './engine/app.ts';
import { unknownKeys } from './unknown-keys.fixture.ts';

/** What was seen, as `POST /messages message` and `POST /messages STREAM_DOES_NOT_EXIST`. */
export interface Comparison {
  readonly observer: Observer;
  readonly emitted: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** Throws where an answer was not what the contract says: a key too many, or of a wrong shape. */
  readonly check: () => void;
}

/** Holds everything operations answer and emit against the contract. */
export function compareWithContract(): Comparison {
  const emitted = new Set<string>();
  const failed = new Set<string>();
  const differences = new Set<string>();
  return {
    emitted,
    failed,
    observer: {
      answered: (endpoint, result) => {
        for (const found of differencesOf(endpoint, parseJson(stringifyJson(result)) as object))
          differences.add(`${endpoint.route}: ${found}`);
      },
      failed: ({ route }, error) => {
        const { code } = error as { code?: string };
        failed.add(`${route} ${code ?? 'INTERNAL_ERROR'}`);
      },
      emitted: ({ route }, type) => emitted.add(`${route} ${type}`),
    },
    check: () => {
      if (differences.size > 0)
        throw new Error(`Answers differ from the contract:\n${[...differences].join('\n')}`);
    },
  };
}

function differencesOf({ route, result: schema }: Endpoint, result: object): string[] {
  const parsed = schema.safeParse(result);
  const wrong = (parsed.error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
  const unknown = unknownKeys(schema, result).map((key) => `${nameOf(key)} is not declared`);
  const events =
    route === 'GET /events' ? (result as { events: Record<string, unknown>[] }).events : [];
  return [...wrong, ...unknown, ...events.flatMap(differencesOfEvent)];
}

function differencesOfEvent({ id: _id, ...event }: Record<string, unknown>): string[] {
  const name = `event ${JSON.stringify([event['type'], event['op']])}`;
  const parsed = Event.safeParse(event);
  if (!parsed.success) return [`${name}: ${parsed.error.message}`];
  return unknownKeys(Event, event).map((key) => `${name}: ${nameOf(key)} is not declared`);
}

/** Whichever item of a list it is. */
const nameOf = (path: string) => path.replaceAll(/\[\d+\]/g, '[]');
