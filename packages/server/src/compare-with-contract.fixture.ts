import { type Endpoint, Event, parseJson, stringifyJson } from '@bellhop/protocol';
import type { z } from 'zod';

import type { Observer } from './engine/app.ts';
import { recordExercised } from './record-exercised.fixture.ts';
import { unknownKeys } from './unknown-keys.fixture.ts';

/**
 * The events and errors of operations, such as `POST /messages message` and `POST /messages
 * STREAM_DOES_NOT_EXIST`.
 */
export interface ContractComparison {
  readonly observer: Observer;
  readonly emitted: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** Throws if a result or an event did not match its schema or had a key that the schema does not declare. */
  readonly check: () => void;
}

/** Compares all results, errors and events of a server with the contract. */
export function compareWithContract(): ContractComparison {
  const emitted = new Set<string>();
  const failed = new Set<string>();
  const differences = new Set<string>();
  return {
    emitted,
    failed,
    observer: {
      answered: (endpoint, result, params) => {
        recordAnswer(endpoint, params);
        const parsed = parseJson(stringifyJson(result)) as object;
        for (const difference of differencesOf(endpoint, parsed))
          differences.add(`${endpoint.route}: ${difference}`);
      },
      failed: ({ route }, error) => {
        const { code, message } = error as { code?: string; message?: string };
        recordExercised(`${route} error ${code}: ${message}`);
        failed.add(`${route} ${code ?? 'INTERNAL_ERROR'}`);
      },
      emitted: ({ route }, type) => {
        recordExercised(`${route} event ${type}`);
        emitted.add(`${route} ${type}`);
      },
    },
    check: () => {
      if (differences.size > 0)
        throw new Error(`Results differ from the contract:\n${[...differences].join('\n')}`);
    },
  };
}

function differencesOf({ route, result: schema }: Endpoint, result: object): string[] {
  const parsed = schema.safeParse(result);
  const mismatches = (parsed.error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
  const unknown = unknownKeys(schema, result).map(
    (key) => `${withoutIndexes(key)} is not declared`,
  );
  const events =
    route === 'GET /events' ? (result as { events: Record<string, unknown>[] }).events : [];
  return [...mismatches, ...unknown, ...events.flatMap(differencesOfEvent)];
}

function differencesOfEvent({ id: _id, ...event }: Record<string, unknown>): string[] {
  const name = `event ${JSON.stringify([event['type'], event['op']])}`;
  const parsed = Event.safeParse(event);
  if (!parsed.success) return [`${name}: ${parsed.error.message}`];
  return unknownKeys(Event, event).map((key) => `${name}: ${withoutIndexes(key)} is not declared`);
}

/** Records the endpoint, and its parameters that had another value than their default. */
function recordAnswer({ route, params: schema }: Endpoint, params: object): void {
  recordExercised(`${route} endpoint`);
  for (const [name, value] of Object.entries(params)) {
    const fallback = (schema.shape[name] as z.ZodType | undefined)?.safeParse(undefined).data;
    if (value !== undefined && stringifyJson(value) !== stringifyJson(fallback ?? null))
      recordExercised(`${route} parameter ${name}`);
  }
}

/** Replaces the index of each list item, so that equal differences are reported once. */
const withoutIndexes = (path: string) => path.replaceAll(/\[\d+\]/g, '[]');
