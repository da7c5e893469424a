import { z } from 'zod';

import type { ErrorCode } from './errors.ts';
import { type EventSchema, eventType, type TypeOf } from './event.ts';

/**
 * Who may call at all. `anyone` needs no credentials, `optional` takes them if sent; `human` refuses
 * bots, `bot` refuses people and `member` refuses guests; `moderator`, `admin` and `owner` mean that role or a higher one;
 * `server` is a chat server calling the bouncer. What depends on the object is asked in `access.ts`.
 */
export type Access =
  | 'anyone'
  | 'optional'
  | 'user'
  | 'human'
  | 'bot'
  | 'member'
  | 'moderator'
  | 'admin'
  | 'owner'
  | 'server';
export type Route = `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;

/** One operation of an API: everything about it except how it is done. */
export interface Endpoint<
  R extends Route = Route,
  A extends Access = Access,
  Params extends z.ZodObject = z.ZodObject,
  Result extends z.ZodObject = z.ZodObject,
  Emits extends string = string,
  Errors extends ErrorCode = ErrorCode,
  Steps extends boolean = boolean,
> {
  readonly route: R;
  readonly summary: string;
  readonly description: string | undefined;
  /** The feature level that brought it (spec, Versioning). */
  readonly since: number;
  readonly access: A;
  readonly params: Params;
  /** Other spellings a parameter may arrive under, older names mostly: alias to name. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly result: Result;
  readonly errors: readonly Errors[];
  /** The types of the events it may send. */
  readonly emits: readonly Emits[];
  /**
   * `form`: fields in body or query; `json`: the body is one JSON object; `file`: the body is a
   * multipart form with one file, fields are in the query.
   */
  readonly body: 'form' | 'json' | 'file';
  /**
   * An operation is one transaction. One that must do something slow in between (hash a password,
   * ask the bouncer), or shares a transaction with others, goes in steps: it gets `change` and
   * `batched` to open its transactions itself.
   */
  readonly steps: Steps;
}

interface Definition<
  A extends Access,
  P extends z.ZodRawShape,
  R extends z.ZodRawShape,
  E extends EventSchema,
  X extends ErrorCode,
  S extends boolean,
> {
  summary: string;
  description?: string;
  since?: number;
  access: A;
  params?: P;
  aliases?: Record<string, string>;
  result?: R;
  errors?: readonly X[];
  emits?: readonly E[];
  body?: 'form' | 'json' | 'file';
  steps?: S;
}

/** Declares one operation. Router, decoding, OpenAPI, client and tests are derived from the value. */
export function endpoint<
  const Path extends Route,
  const A extends Access,
  P extends z.ZodRawShape = {},
  R extends z.ZodRawShape = {},
  E extends EventSchema = never,
  const X extends ErrorCode = never,
  const S extends boolean = false,
>(
  route: Path,
  definition: Definition<A, P, R, E, X, S>,
): Endpoint<Path, A, z.ZodObject<P>, z.ZodObject<R>, TypeOf<E>, X, S> {
  return {
    route,
    summary: definition.summary,
    description: definition.description,
    since: definition.since ?? 1,
    access: definition.access,
    params: z.object((definition.params ?? {}) as P),
    aliases: definition.aliases ?? {},
    result: z.object((definition.result ?? {}) as R),
    errors: definition.errors ?? [],
    emits: (definition.emits ?? []).map(eventType),
    body: definition.body ?? 'form',
    steps: (definition.steps ?? false) as S,
  };
}

/** A handler's view of the parameters: decoded, with defaults filled in. */
export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
/** A caller's view of the parameters: defaulted ones may be left out. */
export type AskOf<E extends Endpoint> = z.input<E['params']>;
/** What a handler returns: the fields beyond the envelope, before defaults. */
export type AnswerOf<E extends Endpoint> = z.input<E['result']>;
/** What a caller gets: the fields beyond the envelope. */
export type ResultOf<E extends Endpoint> = z.output<E['result']>;
export type ErrorsOf<E extends Endpoint> = E['errors'][number];

/** Endpoints by resource and operation name. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

/** The names written in braces in a route: `/messages/{message_id}` has `message_id`. */
export const pathVariables = (route: string): string[] =>
  [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

/** A route taken apart: `['GET', '/messages/{message_id}']`. */
export function splitRoute(route: Route): [method: string, path: string] {
  const space = route.indexOf(' ');
  return [route.slice(0, space), route.slice(space + 1)];
}
