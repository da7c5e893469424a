export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Names of headers whose value is a secret. */
const SECRET = /^(authorization|cookie|bellhop-console|webhook-signature|x-api-key)$/i;

/** A text as one argument of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A call as a command line. The value of a secret header is a variable: `"$AUTHORIZATION"`. */
export function curlOf({ method, url, headers = {}, body }: HttpCall): string {
  const lines = [`curl -X ${method} ${quoted(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    const variable = name.toUpperCase().replaceAll('-', '_');
    lines.push(
      SECRET.test(name) ? `-H "${name}: $${variable}"` : `-H ${quoted(`${name}: ${value}`)}`,
    );
  }
  if (body !== undefined) lines.push(`--data-raw ${quoted(body)}`);
  return lines.join(' \\\n  ');
}
