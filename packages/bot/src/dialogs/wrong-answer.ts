import type { SchemaIssue } from '../sessions/standard-schema.ts';

/** An answer that the schema of its step has refused. */
export interface WrongAnswer {
  /** The name of the step. */
  readonly step: string;
  /** The text of the answer. */
  readonly text: string;
  /** The issues of the schema, with its own messages. */
  readonly issues: readonly SchemaIssue[];
  /** A description of the expected answer, in English. */
  readonly wanted: string;
}

/** The fields of a zod issue beside its message. */
interface DetailedIssue extends SchemaIssue {
  readonly code?: unknown;
  readonly expected?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: unknown;
  readonly format?: unknown;
  readonly values?: unknown;
  readonly divisor?: unknown;
}

/** The beginnings of messages that a library writes for developers. */
const FOR_DEVELOPERS = /^(?:Invalid|Too small|Too big|Unrecognized|Expected)\b/;

const UNKNOWN = 'I cannot use that answer.';

/**
 * Describes the expected answer to the person who answered, from the issues of a schema. A message
 * written by the author of the schema stays unchanged.
 */
export function wantedBy(issues: readonly SchemaIssue[]): string {
  const sentences = issues.map((issue) =>
    FOR_DEVELOPERS.test(issue.message) ? (wantedByIssue(issue) ?? UNKNOWN) : issue.message,
  );
  return [...new Set(sentences)].join('\n') || UNKNOWN;
}

function wantedByIssue(issue: DetailedIssue): string | undefined {
  const wanted = nounOf(issue);
  return wanted === undefined ? undefined : `Please answer with ${wanted}.`;
}

function nounOf(issue: DetailedIssue): string | undefined {
  const { code, values, divisor } = issue;
  switch (code) {
    case 'invalid_type':
      return NOUNS.get(String(issue.expected));
    case 'invalid_format':
      return NOUNS.get(String(issue.format));
    case 'invalid_value':
      return Array.isArray(values) && values.length <= 20 ? oneOf(values) : undefined;
    case 'not_multiple_of':
      return `a multiple of ${String(divisor)}`;
    case 'too_small':
      return boundedBy(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return boundedBy(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    default:
      return undefined;
  }
}

const NOUNS: ReadonlyMap<string, string> = new Map([
  ['number', 'a number, such as `2.5`'],
  ['nan', 'a number, such as `2.5`'],
  ['int', 'a whole number, such as `3`'],
  ['bigint', 'a whole number, such as `3`'],
  ['boolean', '`true` or `false`'],
  ['stringbool', 'yes or no'],
  ['date', 'a date, such as `2030-12-31`'],
  ['datetime', 'a date and time, such as `2030-12-31T09:00:00Z`'],
  ['time', 'a time, such as `09:00:00`'],
  ['email', 'an e-mail address, such as `ann@example.com`'],
  ['url', 'a web address, such as `https://example.com`'],
  ['uuid', 'a UUID'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
]);

const oneOf = (values: readonly unknown[]) =>
  values.length === 1
    ? quoted(values[0])
    : `${values.slice(0, -1).map(quoted).join(', ')} or ${quoted(values.at(-1))}`;

const quoted = (value: unknown) => `\`${String(value).replaceAll('`', "'")}\``;

function boundedBy({ origin }: DetailedIssue, relation: string, bound: unknown) {
  if (origin === 'string') return textOf(relation, Number(bound));
  if (origin === 'date') {
    const date = new Date(bound as Date | number);
    const word = relation === 'at least' || relation === 'more than' ? 'from' : 'until';
    return Number.isNaN(date.getTime())
      ? undefined
      : `a date ${word} \`${date.toISOString().slice(0, 10)}\``;
  }
  return origin === 'number' || origin === 'int' || origin === 'bigint'
    ? `a number of ${relation} ${String(bound)}`
    : undefined;
}

const textOf = (relation: string, length: number) =>
  `a text of ${relation} ${length} ${length === 1 ? 'character' : 'characters'}`;
