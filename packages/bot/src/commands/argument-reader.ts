import { inlineCode } from './markdown-code.ts';
import { nearest } from './nearest.ts';
import type { Span } from './point-at.ts';
import type { Parameter, Usage } from './read-usage.ts';
import { readWords, type Word } from './read-words.ts';

/** What is wrong with a text, in Markdown; without a place it is something that is not there. */
export interface ArgumentFault {
  readonly reason: string;
  readonly place?: Span;
}

type Outcome =
  | { readonly ok: true; readonly values: Record<string, unknown> }
  | { readonly ok: false; readonly fault: ArgumentFault };

interface Reading {
  readonly given: Map<Parameter, unknown>;
  /** Of a text that takes the rest: the words without a flag between them, run by run. */
  readonly runs: Word[][];
}

/**
 * Makes the reader of a usage's arguments, which gives the values by key or the first fault.
 * Flags may stand anywhere before `--`; in a text that takes the rest, what only looks like a
 * flag is text.
 */
export function argumentReader(usage: Usage): (text: string) => Outcome {
  const flags = flagsByName(usage.flags);
  const parameters = [...usage.positionals, ...usage.flags];
  const required = parameters.filter((parameter) => parameter.required);
  return (text) => {
    const reading: Reading = { given: new Map(), runs: [] };
    const fault = readAll(readWords(text), reading) ?? missing(required, reading);
    if (fault !== undefined) return { ok: false, fault };
    return { ok: true, values: valuesOf(parameters, reading, text) };
  };

  function readAll(words: readonly Word[], reading: Reading): ArgumentFault | undefined {
    let flagsEnded = false;
    let position = 0;
    let newRun = true;
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at];
      if (word === undefined) break;
      const parameter = usage.positionals[position];
      if (!flagsEnded && word.flag !== undefined) {
        const flag = flags.get(word.flag.name);
        if (flag !== undefined) {
          const follows = flag.parameter.kind === 'flag' && word.flag.value === undefined;
          if (follows) at += 1;
          const fault = readFlag(flag, word, { next: follows ? words[at] : undefined, reading });
          if (fault !== undefined) return fault;
          newRun = true;
          continue;
        }
        const meant = nearest(word.flag.name, flags.keys());
        if (meant !== undefined || parameter?.takes !== 'text') return unknownFlag(word, meant);
      }
      if (!flagsEnded && isEndOfFlags(word) && reading.runs.length === 0) {
        flagsEnded = true;
        continue;
      }
      if (parameter === undefined) return tooMany(word, usage);
      if (parameter.takes === 'text') {
        if (newRun) reading.runs.push([]);
        newRun = false;
        reading.runs.at(-1)?.push(word);
        continue;
      }
      const fault = give(parameter, word, { text: word.text, reading });
      if (fault !== undefined) return fault;
      if (parameter.takes === 'one') position += 1;
    }
    return undefined;
  }
}

interface Flag {
  readonly parameter: Parameter;
  /** What a switch becomes: `--no-force` turns it off. */
  readonly on: boolean;
}

function flagsByName(parameters: readonly Parameter[]): ReadonlyMap<string, Flag> {
  const flags = new Map<string, Flag>();
  for (const parameter of parameters) {
    const name = parameter.name.toLowerCase();
    if (parameter.kind === 'switch') flags.set(`--no-${name}`, { parameter, on: false });
  }
  for (const parameter of parameters) {
    flags.set(`--${parameter.name.toLowerCase()}`, { parameter, on: true });
    if (parameter.short !== undefined) flags.set(`-${parameter.short}`, { parameter, on: true });
  }
  return flags;
}

function readFlag(
  { parameter, on }: Flag,
  word: Word,
  { next, reading }: { next: Word | undefined; reading: Reading },
): ArgumentFault | undefined {
  const { takes, kind } = parameter;
  if (takes === 'one' && reading.given.has(parameter)) {
    return { reason: `${named(parameter)} is given twice.`, place: word };
  }
  const value = word.flag?.value;
  if (kind === 'switch') {
    if (value === undefined) reading.given.set(parameter, on);
    else if (!on) return { reason: `${inlineCode(nameOf(word))} takes no value.`, place: word };
    else return give(parameter, word, { text: value, reading });
    return undefined;
  }
  if (value !== undefined) return give(parameter, word, { text: value, reading });
  if (next !== undefined && next.flag === undefined) {
    return give(parameter, next, { text: next.text, reading });
  }
  return { reason: `${named(parameter)} needs a value${mustBe(parameter)}.`, place: word };
}

function give(
  parameter: Parameter,
  word: Word,
  { text, reading }: { text: string; reading: Reading },
): ArgumentFault | undefined {
  const { given } = reading;
  const isList = parameter.takes === 'list';
  const value = parameter.read(isList ? withoutComma(text, word) : text);
  if (value === undefined) return wrong(parameter, word, text);
  const list = isList ? given.get(parameter) : undefined;
  if (Array.isArray(list)) list.push(value);
  else given.set(parameter, isList ? [value] : value);
  return undefined;
}

// People write lists as they write sentences: a, b.
const withoutComma = (text: string, word: Word) =>
  word.quoted || word.flag !== undefined || text.length < 2 ? text : text.replace(/[,;]$/, '');

function missing(
  required: readonly Parameter[],
  { given, runs }: Reading,
): ArgumentFault | undefined {
  for (const parameter of required) {
    if (parameter.takes === 'text' ? runs.length > 0 : given.has(parameter)) continue;
    return { reason: `${named(parameter)} is missing${mustBe(parameter)}.` };
  }
  return undefined;
}

function valuesOf(parameters: readonly Parameter[], { given, runs }: Reading, text: string) {
  const values: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const typed = parameter.takes === 'text' ? textOf(runs, text) : undefined;
    values[parameter.key] = given.has(parameter)
      ? given.get(parameter)
      : (typed ?? absent(parameter));
  }
  return values;
}

function absent(parameter: Parameter): unknown {
  if (parameter.default !== undefined) return parameter.read(parameter.default);
  if (parameter.takes === 'list') return [];
  return parameter.kind === 'switch' ? false : undefined;
}

// A text is what was typed, spaces and quotes included, unless it is one quoted word.
function textOf(runs: readonly Word[][], text: string): string | undefined {
  const [only, second] = runs.flat();
  if (only === undefined) return undefined;
  if (only.quoted && second === undefined) return only.text;
  return runs.map((run) => text.slice(run.at(0)?.start, run.at(-1)?.end)).join(' ');
}

const isEndOfFlags = ({ quoted, text }: Word) => !quoted && /^(?:--|—|–)$/.test(text);

function wrong(parameter: Parameter, word: Word, text: string): ArgumentFault {
  const reason = `${named(parameter)} must be ${parameter.expects}, not ${inlineCode(text)}.`;
  const meant = nearest(text, parameter.choices ?? []);
  return { reason: reason + didYouMean(meant), place: word };
}

function unknownFlag(word: Word, meant: string | undefined): ArgumentFault {
  const reason = `There is no flag ${inlineCode(nameOf(word))}.`;
  return { reason: reason + didYouMean(meant), place: word };
}

function tooMany(word: Word, { positionals }: Usage): ArgumentFault {
  const isText = positionals.some(({ type }) => type === undefined || type === 'string');
  const hint = isText ? ' Words that belong together go in quotes.' : '';
  return { reason: `${inlineCode(word.text)} is one word too many.${hint}`, place: word };
}

const didYouMean = (meant: string | undefined) =>
  meant === undefined ? '' : ` Did you mean ${inlineCode(meant)}?`;

const nameOf = (word: Word) => word.flag?.name ?? word.text;

const named = ({ name, kind }: Parameter) => inlineCode(kind === 'positional' ? name : `--${name}`);

const mustBe = ({ type, expects }: Parameter) =>
  type === undefined || type === 'string' ? '' : `: it must be ${expects}`;
