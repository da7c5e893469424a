import { printRows, terminalLine } from '@bellhop/bot-cli/command-line';

type Result = Readonly<Record<string, unknown>>;

/** Prints an answer as JSON in one line, or as tables and lines. */
export function printResult(result: object, { json }: { readonly json: boolean }): void {
  const fields = Object.entries(result);
  const [only] = fields;
  if (json) console.log(JSON.stringify(result));
  else if (fields.length === 0) console.log('Done.');
  else if (fields.length === 1 && only) printField(only[0], only[1]);
  else printFields(fields);
}

function printFields(fields: readonly [string, unknown][]): void {
  const facts = fields.filter(([, value]) => !isObject(value));
  printRows(factRows(Object.fromEntries(facts)), { json: false });
  const parts = fields.filter(([, value]) => isObject(value));
  for (const [at, [name, value]] of parts.entries()) {
    console.log(`${at === 0 && facts.length === 0 ? '' : '\n'}${headingOf(name)}:`);
    printField(name, value);
  }
}

function printField(name: string, value: unknown): void {
  if (Array.isArray(value) && value.length === 0) console.log(`No ${name.replaceAll('_', ' ')}.`);
  else if (isRows(value)) printRows(value.map(readable), { json: false });
  else if (Array.isArray(value)) for (const line of value) console.log(terminalLine(String(line)));
  else if (isObject(value)) printRows(factRows(value), { json: false });
  else printRows(factRows({ [name]: value }), { json: false });
}

const isObject = (value: unknown): value is Result => typeof value === 'object' && value !== null;
const isRows = (value: unknown): value is readonly Result[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

const factRows = (result: Result) =>
  Object.entries(readable(result)).map(([fact, value]) => ({ fact, value }));

/** Shows values as people read them: `created_ms` of an answer is the time `created`. */
const readable = (row: Result): Result =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) =>
      name.endsWith('_ms') && typeof value === 'number'
        ? [name.slice(0, -3), new Date(value)]
        : [name.replace(/_ms$/, ''), readableValue(value)],
    ),
  );

function readableValue(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value instanceof Date || !isObject(value)) return value === '' ? '-' : value;
  const given = Object.entries(value).filter(([, part]) => part !== null);
  const parts = given.map(([name, part]) =>
    Array.isArray(value) ? textOf(part) : `${name}=${textOf(part)}`,
  );
  return parts.length === 0 ? '-' : parts.join(', ');
}

const textOf = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part));

const headingOf = (name: string) =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
