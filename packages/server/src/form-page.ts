import { escapeHtml, type Exchange, type FormPage } from '@bellhop/http';
import {
  type AnswerOf,
  ApiError,
  type AskOf,
  type Endpoint,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from '@bellhop/protocol';

import type { LookUp } from './engine/address-limit.ts';
import type { App } from './engine/app.ts';
import type { Caller, Realm } from './engine/caller.ts';

/** What pages get: they change something by the operations of the API alone. */
export interface PageApp extends App {
  /** Performs an operation as if somebody had called the API. */
  readonly perform: <E extends Endpoint>(
    endpoint: E,
    params: AskOf<E>,
    as: Visitor,
  ) => Promise<AnswerOf<E>>;
}
export interface Visitor extends Omit<Caller, 'reads_public_names'> {
  readonly ip?: string;
}

export type Fields = Readonly<Record<string, unknown>>;
/** A request for a page that a link in a mail leads to. */
interface MailLink {
  readonly realm: Realm;
  /** The secret at the end of the link; empty if there is none. */
  readonly key: string;
  /** Runs a query, within a limit for the address of the client. */
  readonly lookUp: LookUp;
}

const PATH = /^\/[a-z_]+\/([A-Za-z0-9]{32})\/?$/;

/** Reads the link of a request. Throws REALM_DEACTIVATED, RATE_LIMIT_HIT. */
export async function mailLink(app: App, exchange: Exchange): Promise<MailLink> {
  await app.addressLimit.count(exchange);
  const lookUp = app.addressLimit.lookUpFor(exchange);
  const realm = await app.realms.atHost(exchange.host, lookUp);
  if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
  return { realm, key: PATH.exec(exchange.path)?.[1] ?? '', lookUp };
}

/** The caller of an operation that a page performs. */
export const visitor = { user: null, client: 'Website' } as const;

interface Form {
  readonly title: string;
  /** HTML. */
  readonly inputs: string;
  readonly button: string;
}

/** A page with a form, and above it the problem of the last try. */
export function formPage(problem: ApiError | undefined, { title, inputs, button }: Form): FormPage {
  const alert = problem ? `<p id="problem" role="alert">${escapeHtml(problem.message)}</p>\n` : '';
  return {
    status: problem?.status ?? 200,
    title: `${problem ? 'Error: ' : ''}${title}`,
    content: `${alert}<form method="post">\n${inputs}\n<button>${button}</button>\n</form>`,
  };
}

/** Connects an input with the error above it, for screen readers. */
export const described = (problem: ApiError | undefined): string =>
  problem ? ' aria-describedby="problem"' : '';

/** Asks for an e-mail address, as the field `email`. */
export const emailInput = (email: string, problem: ApiError | undefined): string =>
  `<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" required value="${escapeHtml(email)}"${described(problem)}>`;

/** Asks for a password that the person chooses, as the field `password`. */
export const passwordInput = (label: string, problem: ApiError | undefined): string =>
  `<label for="password">${label} <small>${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters, hard to guess</small></label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}" required${described(problem)}>`;

/** Returns an error that the person can mend or wait for; throws any other error. */
export async function problemOf(work: () => Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const isForPerson =
      error instanceof ApiError && ['BAD_REQUEST', 'RATE_LIMIT_HIT'].includes(error.code);
    if (isForPerson) return error;
    throw error;
  }
}

/** A field as text; empty if it is missing or cannot be stored. */
export function textOf(fields: Fields | undefined, name: string): string {
  const value = fields?.[name];
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : '';
}
