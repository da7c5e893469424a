import type { Operation } from './operations.ts';
import { fieldOf } from './schema-text.ts';

/** A call of an operation as it goes over the wire. */
export interface ApiCall {
  readonly method: string;
  /** Path and query, without the origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The fields of a form; undefined if there are none. */
  readonly form: Readonly<Record<string, string>> | undefined;
  /** The body if it is JSON. */
  readonly json: string | undefined;
}

/** The values of the parameters as they were entered; empty ones are not sent. */
export type Values = Readonly<Record<string, string>>;

/** What is wrong with the first value that cannot be sent. */
export function faultOf({ parameters }: Operation, values: Values): string | undefined {
  for (const { name, schema, in: where } of parameters) {
    const value = values[name] ?? '';
    // A browser would take it out of the path, and call another operation.
    if (where === 'path' && /^\.{1,2}$/.test(value)) return `${name} must not be "${value}".`;
    const isJsonField = fieldOf(schema).kind === 'json' && !mayBeText(schema);
    if (value !== '' && isJsonField && !isJson(value)) return `${name} is not valid JSON.`;
  }
  return undefined;
}

/** Whether a value may be a plain text, too: `general` in place of `"general"`. */
const mayBeText = ({
  anyOf,
  oneOf,
}: {
  anyOf?: readonly { type?: string | undefined }[] | undefined;
  oneOf?: readonly { type?: string | undefined }[] | undefined;
}) => (anyOf ?? oneOf ?? []).some(({ type }) => type === 'string');

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The call that the entered values make. */
export function callOf({ method, path, parameters, body }: Operation, values: Values): ApiCall {
  const given = (place: string) =>
    parameters.flatMap(({ name, in: where }): [string, string][] => {
      const value = values[name] ?? '';
      return where === place && value !== '' ? [[name, value]] : [];
    });
  const filled = given('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(given('query')).toString();
  const fields = given('body');
  const json = Object.fromEntries(
    fields.map(([name, value]) => [name, isJson(value) ? (JSON.parse(value) as unknown) : value]),
  );
  return {
    method,
    path: `/api/v1${filled}${query === '' ? '' : `?${query}`}`,
    headers: Object.fromEntries(given('header')),
    form: body === 'form' && fields.length > 0 ? Object.fromEntries(fields) : undefined,
    json: body === 'json' ? JSON.stringify(json) : undefined,
  };
}
