import { z } from 'zod';

import type { ErrorCode } from './errors.ts';
import { type EventSchema, eventType, type TypeOf } from './event.ts';
import type { Permission } from './permission.ts';
import { pathVariables, type Route } from './route.ts';

/**
 * Who may call an endpoint. `anyone` needs no credentials; `optional` reads them if sent; `user` is
 * any user; `human` rejects bots, `bot` rejects people, `member` rejects guests; `moderator`,
 * `admin` and `owner` need that role or a higher one; `server` is a chat server that calls the
 * bouncer, `operator` the one who runs it.
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
  | 'server'
  | 'operator';

/** What an operation keeps others from changing while it runs: the realm, or nothing. */
export type Locks = 'realm' | 'nothing';
/** What only a role may do locks the realm: nobody loses the role meanwhile. */
export type LocksOf<A extends Access, L extends Locks> = A extends 'moderator' | 'admin' | 'owner'
  ? 'realm'
  : L;

/** One operation of an API: its route, parameters, result, errors and events. */
export interface Endpoint<
  R extends Route = Route,
  A extends Access = Access,
  Params extends z.ZodObject = z.ZodObject,
  Result extends z.ZodObject = z.ZodObject,
  Emits extends string = string,
  Errors extends ErrorCode = ErrorCode,
  Steps extends boolean = boolean,
  L extends Locks = Locks,
> {
  readonly route: R;
  readonly summary: string;
  readonly description: string | undefined;
  /** The feature level that added it (spec, Versioning). */
  readonly since: number;
  /** The feature levels that added single parameters to it, by name. */
  readonly paramsSince: Readonly<Record<string, number>>;
  readonly access: A;
  /**
   * Further permissions that callers need, all of them. The server checks them (`access.ts` of each
   * resource), and test/permissions.test.ts each of them for each role and setting.
   */
  readonly permissions: readonly Permission[];
  readonly params: Params;
  /** Other accepted names of parameters, mostly older ones: alias to name. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The parameters that have no meaning beside the fields of a request: they are not read. */
  readonly meaningless: (fields: Readonly<Record<string, unknown>>) => readonly string[];
  /** The parameters that are checked and change nothing beside others: a success names those given as ignored. */
  readonly unused: (params: Readonly<Record<string, unknown>>) => readonly string[];
  readonly result: Result;
  readonly errors: readonly Errors[];
  /** The types of the events that it may send. */
  readonly emits: readonly Emits[];
  /**
   * `form`: the parameters are fields of the body or query; `json`: the body is one JSON object;
   * `file`: the body is a multipart form with one file, the parameters are in the query.
   */
  readonly body: 'form' | 'json' | 'file';
  /**
   * For a form that may come as multipart with one file beside its fields: the maximum size of the
   * file in bytes. Undefined if the endpoint takes no such file.
   */
  readonly fileLimit: number | undefined;
  /** Whether a success is a redirect (302) to the `url` of the result. */
  readonly redirects: boolean;
  /**
   * Whether it takes the header `Idempotency-Key`: a request that is sent again with the same key gets
   * the first answer, and is carried out once.
   */
  readonly hasIdempotencyKey: boolean;
  /**
   * By default the server runs an operation in one transaction. True if the operation opens its own
   * transactions: it does slow work between them (hashes a password, calls the bouncer), or shares
   * one with other calls.
   */
  readonly steps: Steps;
  /**
   * `realm`: other changes of the realm wait for the operation: of its settings, users, groups, channels
   * and subscriptions. The server gives the handler the realm and the caller as they are since then, and
   * has checked `access` again.
   */
  readonly locks: L;
  /** The operation also locks the realm if one of these parameters is given. */
  readonly locksFor: readonly string[];
}

export interface EndpointDefinition<
  A extends Access,
  P extends z.ZodRawShape,
  R extends z.ZodRawShape,
  E extends EventSchema,
  X extends ErrorCode,
  S extends boolean,
  L extends Locks,
> {
  summary: string;
  description?: string;
  since?: number;
  paramsSince?: { readonly [Name in NoInfer<keyof P>]?: number };
  access: A;
  permissions?: readonly Permission[];
  params?: P;
  aliases?: Record<string, string>;
  meaningless?: (
    fields: Readonly<Record<string, unknown>>,
  ) => readonly (NoInfer<keyof P> & string)[];
  unused?: (params: Readonly<Record<string, unknown>>) => readonly (NoInfer<keyof P> & string)[];
  result?: R;
  errors?: readonly X[];
  emits?: readonly E[];
  body?: 'form' | 'json' | 'file';
  fileLimit?: number;
  redirects?: boolean;
  hasIdempotencyKey?: boolean;
  steps?: S;
  /**
   * Implied by the `access` of a role. Must be said where a role or a setting of the realm, a channel or
   * a group gives a permission: somebody may take it away meanwhile.
   */
  locks?: L;
  locksFor?: readonly (NoInfer<keyof P> & string)[];
}

/**
 * Declares one operation. Router, decoder, OpenAPI, client and tests are derived from the value.
 */
export function endpoint<
  const Path extends Route,
  const A extends Access,
  P extends z.ZodRawShape = {},
  R extends z.ZodRawShape = {},
  E extends EventSchema = never,
  const X extends ErrorCode = never,
  const S extends boolean = false,
  const L extends Locks = 'nothing',
>(
  route: Path,
  definition: EndpointDefinition<A, P, R, E, X, S, L>,
): Endpoint<Path, A, z.ZodObject<P>, z.ZodObject<R>, TypeOf<E>, X, S, LocksOf<A, L>> {
  const { access, permissions = [] } = definition;
  const locks = isOfRole(access) ? 'realm' : definition.locks;
  const isSaid = locks !== undefined || definition.locksFor !== undefined;
  if (!isSaid && !route.startsWith('GET ') && permissions.some(mayBeTakenAway))
    throw new Error(`${route} does not say what it locks: its permissions may be taken away`);
  return {
    route,
    summary: definition.summary,
    description: definition.description,
    since: definition.since ?? 1,
    paramsSince: { ...definition.paramsSince },
    access,
    permissions,
    params: z.object((definition.params ?? {}) as P),
    aliases: definition.aliases ?? {},
    meaningless: definition.meaningless ?? (() => []),
    unused: definition.unused ?? (() => []),
    result: z.object((definition.result ?? {}) as R),
    errors: definition.errors ?? [],
    emits: (definition.emits ?? []).map(eventType),
    body: definition.body ?? 'form',
    fileLimit: definition.fileLimit,
    redirects: definition.redirects ?? false,
    hasIdempotencyKey: definition.hasIdempotencyKey ?? false,
    steps: (definition.steps ?? false) as S,
    locks: (locks ?? 'nothing') as LocksOf<A, L>,
    locksFor: definition.locksFor ?? [],
  };
}

const isOfRole = (name: string): boolean => ['moderator', 'admin', 'owner'].includes(name);
const mayBeTakenAway = ({ grants }: Permission): boolean =>
  grants.some((grant) => isOfRole(grant) || /^(?:realm|channel|group)\./.test(grant));

/** The parameters as a handler gets them: decoded, with defaults filled in. */
export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
/** The parameters as a caller gives them: those with a default may be omitted. */
export type AskOf<E extends Endpoint> = z.input<E['params']>;
/** The result as a handler returns it: without the envelope, before defaults. */
export type AnswerOf<E extends Endpoint> = z.input<E['result']>;
/** The result as a caller gets it: without the envelope, with defaults filled in. */
export type ResultOf<E extends Endpoint> = z.output<E['result']>;
export type ErrorsOf<E extends Endpoint> = E['errors'][number];

/** Endpoints by resource and operation name. */
export type Contract = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

/** Marks the last variable of a path as one that may contain slashes, as they are or encoded. */
export const withSlashes = <S extends z.ZodType>(schema: S): S =>
  schema.meta({ ...schema.meta(), withSlashes: true }) as S;

/** Whether the last variable of the path may contain slashes. */
export function mayContainSlashes({ route, params }: Endpoint): boolean {
  const last = pathVariables(route).at(-1);
  const schema = last === undefined ? undefined : params.shape[last];
  return route.endsWith('}') && (schema as z.ZodType | undefined)?.meta()?.['withSlashes'] === true;
}
