import { type Endpoint, encodeParams, pathVariables } from '@bellhop/protocol';
import { contractFixtures, type Sample } from '@bellhop/server/contract-fixtures';
import type { Person, TestChat } from '@bellhop/server/testing';
import { z } from 'zod';

const { samples, parameters, spectators } = await contractFixtures();

/** A valid value of each parameter that several endpoints have, by its name. */
export async function sampleValues(chat: TestChat): Promise<Record<string, string | number>> {
  const values: Record<string, string | number> = {};
  for (const [name, valueOf] of Object.entries(parameters))
    values[name] = await valueOf(chat, chat.people.desdemona);
  return values;
}

/**
 * Parameters with which the caller should succeed, by default the owner of the chat: those of the
 * resource's `contract.fixture.ts`, or the smallest value of each required parameter.
 */
export async function sampleOf(
  endpoint: Endpoint,
  chat: TestChat,
  caller: Person = chat.people.desdemona,
): Promise<Sample> {
  const own = await samples[endpoint.route]?.(chat, caller);
  if (own) return own;
  const values: Record<string, unknown> = {};
  for (const name of requiredOf(endpoint))
    values[name] =
      (await parameters[name]?.(chat, caller)) ?? smallest(endpoint.params.shape[name]);
  const { fields } = encodeParams(endpoint, '', values);
  const inPath = pathVariables(endpoint.route).map((name) => [name, String(values[name])]);
  return Object.fromEntries([...fields, ...inPath]) as Sample;
}

/** Keeps a sample for requests of one endpoint as long as none of them uses it up. */
export class SpareSample {
  readonly #make: (endpoint: Endpoint) => Promise<Sample> | Sample;
  #kept: { readonly endpoint: Endpoint; readonly sample: Sample } | undefined;

  constructor(make: (endpoint: Endpoint) => Promise<Sample> | Sample) {
    this.#make = make;
  }

  async of(endpoint: Endpoint): Promise<Sample> {
    if (this.#kept?.endpoint !== endpoint)
      this.#kept = { endpoint, sample: await this.#make(endpoint) };
    return this.#kept.sample;
  }

  /** Call it with each response: refused requests and those that read use nothing up. */
  answered({ route }: Endpoint, { status }: { readonly status: number }): void {
    if (status < 400 && !route.startsWith('GET ')) this.#kept = undefined;
  }
}

/** Parameters with which somebody without a login should succeed. */
export async function spectatorSample({ route }: Endpoint, chat: TestChat): Promise<Sample> {
  const sample = spectators[route];
  if (!sample) throw new Error(`No contract.fixture.ts has parameters of spectators for ${route}`);
  return sample(chat);
}

export const requiredOf = ({ params }: Endpoint): string[] =>
  Object.entries(params.shape)
    .filter(([, schema]) => !(schema as z.ZodType).safeParse(undefined).success)
    .map(([name]) => name);

/** The smallest value of a schema. */
function smallest(schema: z.core.$ZodType | undefined): unknown {
  const json = z.toJSONSchema(schema ?? z.unknown(), { io: 'input', unrepresentable: 'any' });
  return ofJsonSchema(json);
}

function ofJsonSchema(json: z.core.JSONSchema._JSONSchema): unknown {
  if (typeof json === 'boolean') return 'x';
  const first = json.anyOf?.[0] ?? json.oneOf?.[0];
  if (first) return ofJsonSchema(first);
  if (json.const !== undefined) return json.const;
  if (json.enum) return json.enum[0];
  switch (json.type) {
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return json.minItems && json.items && !Array.isArray(json.items)
        ? [ofJsonSchema(json.items)]
        : [];
    case 'object':
      return Object.fromEntries(
        (json.required ?? []).map((name) => [name, ofJsonSchema(json.properties?.[name] ?? {})]),
      );
    default:
      return 'x';
  }
}
