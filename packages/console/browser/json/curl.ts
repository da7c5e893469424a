export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Name and password of HTTP Basic, as variables: `$NAME:$PASSWORD`. */
  readonly login?: string;
  /** Texts of the body that are secret, each with the name of its variable. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Names of headers whose value is a secret. */
const SECRET = /^(authorization|cookie|bellhop-console|webhook-signature|x-api-key)$/i;

/** A text as one argument of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A call as a command line. Secrets are variables: `"$AUTHORIZATION"`. */
export function curlOf({
  method,
  url,
  headers = {},
  body,
  login,
  variables = {},
}: HttpCall): string {
  const lines = [`curl -X ${method} ${quoted(url)}`];
  if (login !== undefined) lines.push(`-u "${login}"`);
  for (const [name, value] of Object.entries(headers)) {
    const variable = name.toUpperCase().replaceAll('-', '_');
    lines.push(
      SECRET.test(name) ? `-H "${name}: $${variable}"` : `-H ${quoted(`${name}: ${value}`)}`,
    );
  }
  if (body !== undefined) {
    let data = quoted(body);
    for (const [text, variable] of Object.entries(variables))
      data = data.replaceAll(text, `'"$${variable}"'`);
    lines.push(`--data-raw ${data}`);
  }
  return lines.join(' \\\n  ');
}
