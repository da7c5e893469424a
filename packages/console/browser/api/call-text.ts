import type { ApiCall } from './api-call.ts';

const LOGIN = '-u "$BELLHOP_EMAIL:$BELLHOP_API_KEY"';

/** A text as one argument of a POSIX shell. */
const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The call as a command line. The login is in variables. */
export function curlText({ method, path, headers, form, json }: ApiCall, site: string): string {
  const lines = [`curl -X ${method} ${shell(site + path)}`, LOGIN];
  for (const [name, value] of Object.entries(headers))
    lines.push(`-H ${shell(`${name}: ${value}`)}`);
  for (const [name, value] of Object.entries(form ?? {}))
    lines.push(`--data-urlencode ${shell(`${name}=${value}`)}`);
  if (json !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `--data-raw ${shell(json)}`);
  return lines.join(' \\\n  ');
}

/** The call as a program for Node. The login is in the environment. */
export function javaScriptText(
  { method, path, headers, form, json }: ApiCall,
  site: string,
): string {
  const login = 'Basic ${Buffer.from(`${BELLHOP_EMAIL}:${BELLHOP_API_KEY}`).toString("base64")}';
  const lines = [
    ...Object.entries(headers).map(
      ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
    ),
    ...(json === undefined ? [] : [`    "Content-Type": "application/json",`]),
  ];
  return [
    'const { BELLHOP_EMAIL, BELLHOP_API_KEY } = process.env;',
    `const response = await fetch(${JSON.stringify(site + path)}, {`,
    `  method: ${JSON.stringify(method)},`,
    '  headers: {',
    `    Authorization: \`${login}\`,`,
    ...lines,
    '  },',
    ...(form ? [`  body: new URLSearchParams(${indented(form)}),`] : []),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.parse(json))}),`]),
    '});',
    'console.log(response.status, await response.json());',
    '',
  ].join('\n');
}

const indented = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');

/** The call as a program for Python 3, without a package. The login is in the environment. */
export function pythonText({ method, path, headers, form, json }: ApiCall, site: string): string {
  const data =
    json === undefined
      ? form && `urllib.parse.urlencode(${python(form)}).encode()`
      : `json.dumps(json.loads(${python(json)})).encode()`;
  return [
    'import base64, json, os, urllib.error, urllib.parse, urllib.request',
    '',
    "login = f\"{os.environ['BELLHOP_EMAIL']}:{os.environ['BELLHOP_API_KEY']}\"",
    `request = urllib.request.Request(${python(site + path)}, method=${python(method)})`,
    'request.add_header("Authorization", "Basic " + base64.b64encode(login.encode()).decode())',
    ...Object.entries(headers).map(
      ([name, value]) => `request.add_header(${python(name)}, ${python(value)})`,
    ),
    ...(json === undefined ? [] : ['request.add_header("Content-Type", "application/json")']),
    ...(data === undefined ? [] : [`request.data = ${data}`]),
    'try:',
    '    response = urllib.request.urlopen(request, timeout=120)',
    'except urllib.error.HTTPError as error:',
    '    response = error',
    'print(response.status, json.load(response))',
    '',
  ].join('\n');
}

/** Texts, and maps of texts, are written the same in Python and in JSON but for surrogates. */
const python = (value: unknown): string => JSON.stringify(value);
