import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { type Endpoint, events, parseJson, stringifyJson } from '@bellhop/protocol';
import type { z } from 'zod';

import type { Observer } from './engine/app.ts';
import { isRecording, recordExercised } from './record-exercised.fixture.ts';
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
  const isNew = onceEach();
  return {
    emitted,
    failed,
    observer: {
      answered: (endpoint, result, params) => {
        if (isRecording) recordAnswer(endpoint, params);
        for (const difference of differencesOf(endpoint, result, isNew))
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

/** Whether a text is given for the first time. */
type IsNew = (text: string) => boolean;

function onceEach(): IsNew {
  const digests = new Set<string>();
  return (text) => {
    const { size } = digests;
    return digests.add(hash('sha1', text, 'base64')).size > size;
  };
}

/** Compares each value of a field once: a large result mostly repeats values of the last one. */
function differencesOf({ route, result: schema }: Endpoint, result: object, isNew: IsNew) {
  const fields = result as Readonly<Record<string, unknown>>;
  return [...new Set([...Object.keys(schema.shape), ...Object.keys(fields)])].flatMap((name) => {
    const text = fields[name] === undefined ? '' : stringifyJson(fields[name]);
    if (!isNew(`${route} ${name} ${text}`)) return [];
    const value = text === '' ? undefined : parseJson(text);
    const isEvents = route === 'GET /events' && name === 'events';
    return [
      ...differencesOfValue(schema.shape[name] as z.ZodType | undefined, value, name),
      ...(isEvents
        ? (value as EventRecord[]).flatMap((one) => differencesOfEvent(one, isNew))
        : []),
    ];
  });
}

function differencesOfValue(schema: z.ZodType | undefined, value: unknown, name: string): string[] {
  if (!schema) return value === undefined ? [] : [`${name} is not declared`];
  const mismatches = (schema.safeParse(value).error?.issues ?? []).map(
    ({ path, message }) => `${[name, ...path].join('.')}: ${message}`,
  );
  const unknown = unknownKeys(schema, value, name).map(
    (key) => `${withoutIndexes(key)} is not declared`,
  );
  return [...mismatches, ...unknown];
}

type EventRecord = Readonly<Record<string, unknown>>;

function differencesOfEvent({ id: _id, ...event }: EventRecord, isNew: IsNew): string[] {
  if (!isNew(stringifyJson(event))) return [];
  const { type, op } = event;
  const schema = Object.entries(events).find(([name]) => name === type)?.[1].schema;
  if (!schema) return [`events of the type ${String(type)} are not declared`];
  return differencesOfValue(schema, event, `event ${JSON.stringify([type, op])}`);
}

/** Records the endpoint, and its parameters that had another value than their default. */
function recordAnswer({ route, params: schema }: Endpoint, params: object): void {
  recordExercised(`${route} endpoint`);
  for (const [name, value] of Object.entries(params)) {
    const fallback = (schema.shape[name] as z.ZodType | undefined)?.safeParse(undefined).data;
    if (value !== undefined && !isDeepStrictEqual(value, fallback))
      recordExercised(`${route} parameter ${name}`);
  }
}

/** Replaces the index of each list item, so that equal differences are reported once. */
const withoutIndexes = (path: string) => path.replaceAll(/\[\d+\]/g, '[]');
