import type { MentionIds } from '../mentions.ts';
import { inlineCode } from './markdown-code.ts';
import { nearest } from './nearest.ts';
import type { Span } from './point-at.ts';
import type { Parameter, Usage } from './read-usage.ts';
import { isSeparator, readWords, type Word } from './read-words.ts';

/** The first error in a command's arguments. */
export interface ArgumentFault {
  /** A sentence or two of Markdown. */
  readonly reason: string;
  /** The text at fault; absent for a missing argument. */
  readonly span?: Span;
}

type ReadResult =
  | { readonly ok: true; readonly values: Record<string, unknown> }
  | { readonly ok: false; readonly fault: ArgumentFault };

interface ReadState {
  /** The whole text of the arguments. */
  readonly text: string;
  readonly mentions: MentionIds | undefined;
  readonly values: Map<Parameter, unknown>;
  /** The words of the parameter that takes the rest of the text, split where a flag stood between them. */
  readonly runs: Word[][];
}

/**
 * Makes the reader of a usage's arguments. The reader returns the values by key, or the first
 * error. Flags may stand anywhere before `--`. Within the rest of the text, an undeclared flag
 * counts as text unless it resembles a declared one.
 */
export function argumentReader(usage: Usage): (text: string, mentions?: MentionIds) => ReadResult {
  const flags = flagsByName(usage.flags);
  const parameters = [...usage.positionals, ...usage.flags];
  const required = parameters.filter((parameter) => parameter.required);
  return (text, mentions) => {
    const state: ReadState = { text, mentions, values: new Map(), runs: [] };
    const fault = readAll(readWords(text), state) ?? missingArgument(required, state);
    if (fault !== undefined) return { ok: false, fault };
    return { ok: true, values: valuesByKey(parameters, state, text) };
  };

  function readAll(words: readonly Word[], state: ReadState): ArgumentFault | undefined {
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
          const valueFollows = flag.parameter.kind === 'flag' && word.flag.value === undefined;
          if (valueFollows) at += 1;
          const fault = readFlag(flag, word, { next: valueFollows ? words[at] : undefined, state });
          if (fault !== undefined) return fault;
          newRun = true;
          continue;
        }
        const suggestion = nearest(word.flag.name, flags.keys());
        if (suggestion !== undefined || parameter?.takes !== 'text')
          return unknownFlag(word, suggestion);
      }
      if (!flagsEnded && isEndOfFlags(word) && state.runs.length === 0) {
        flagsEnded = true;
        continue;
      }
      if (parameter === undefined) return extraWord(word, usage);
      if (parameter.takes === 'text') {
        if (newRun) state.runs.push([]);
        newRun = false;
        state.runs.at(-1)?.push(word);
        continue;
      }
      const value = longestValue(usage.positionals.slice(position), words.slice(at), state);
      const fault = readValue(parameter, word, { text: value.text, state });
      if (fault !== undefined) return fault;
      at += value.words - 1;
      if (parameter.takes === 'one') position += 1;
    }
    return undefined;
  }
}

/**
 * The longest run of words that is a value of the first parameter; the first word if none is. It leaves
 * a word for each required parameter after it, and takes one if values of several words follow.
 */
function longestValue(
  [parameter, ...after]: readonly Parameter[],
  words: readonly Word[],
  { text }: ReadState,
): { readonly text: string; readonly words: number } {
  const [first] = words;
  const start = first?.start ?? 0;
  const { takes, maxWords = 1, read } = parameter ?? { takes: 'one', read: () => undefined };
  const isAlone = takes === 'one' && (after[0]?.maxWords ?? 1) === 1;
  const left = words.length - after.filter(({ required }) => required).length;
  const most = isAlone ? Math.min(maxWords, left) : 1;
  const plain = words.findIndex(({ quoted, flag }) => quoted || flag !== undefined);
  for (let count = plain < 0 ? most : Math.min(most, plain); count > 1; count -= 1) {
    const run = text.slice(start, words[count - 1]?.end);
    if (read(run) !== undefined) return { text: run, words: count };
  }
  return { text: first?.text ?? '', words: 1 };
}

interface Flag {
  readonly parameter: Parameter;
  /** The value a switch gets: true for `--force`, false for `--no-force`. */
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
  { next, state }: { next: Word | undefined; state: ReadState },
): ArgumentFault | undefined {
  const { takes, kind } = parameter;
  if (takes === 'one' && state.values.has(parameter)) {
    return { reason: `${displayName(parameter)} is given twice.`, span: word };
  }
  const value = word.flag?.value;
  if (kind === 'switch') {
    if (value === undefined) state.values.set(parameter, on);
    else if (!on) return { reason: `${inlineCode(flagName(word))} takes no value.`, span: word };
    else return readValue(parameter, word, { text: value, state });
    return undefined;
  }
  if (value !== undefined) return readValue(parameter, word, { text: value, state });
  if (next !== undefined && next.flag === undefined) {
    return readValue(parameter, next, { text: next.text, state });
  }
  return {
    reason: `${displayName(parameter)} needs a value${expectation(parameter)}.`,
    span: word,
  };
}

function readValue(
  parameter: Parameter,
  word: Word,
  { text, state }: { text: string; state: ReadState },
): ArgumentFault | undefined {
  const { values } = state;
  const isList = parameter.takes === 'list';
  const value = parameter.read(isList ? withoutComma(text, word) : text, state.mentions);
  if (value === undefined) return invalidValue(parameter, word, text);
  const list = isList ? values.get(parameter) : undefined;
  if (Array.isArray(list)) list.push(value);
  else values.set(parameter, isList ? [value] : value);
  return undefined;
}

// People separate the items of a list by commas, as in "a, b".
const withoutComma = (text: string, word: Word) =>
  word.quoted || word.flag !== undefined || text.length < 2
    ? text
    : text.replace(/[,;，、；،؛]\p{Cf}*$/u, '');

function missingArgument(
  required: readonly Parameter[],
  { values, runs }: ReadState,
): ArgumentFault | undefined {
  for (const parameter of required) {
    if (parameter.takes === 'text' ? runs.length > 0 : values.has(parameter)) continue;
    return { reason: `${displayName(parameter)} is missing${expectation(parameter)}.` };
  }
  return undefined;
}

function valuesByKey(parameters: readonly Parameter[], { values, runs }: ReadState, text: string) {
  const byKey: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const rest = parameter.takes === 'text' ? restOfText(runs, text) : undefined;
    byKey[parameter.key] = values.has(parameter)
      ? values.get(parameter)
      : (rest ?? defaultValue(parameter));
  }
  return byKey;
}

function defaultValue(parameter: Parameter): unknown {
  if (parameter.default !== undefined) return parameter.read(parameter.default);
  if (parameter.takes === 'list') return [];
  return parameter.kind === 'switch' ? false : undefined;
}

// The rest of the text keeps its spaces and quotes, except the quotes of a single quoted word.
function restOfText(runs: readonly Word[][], text: string): string | undefined {
  const [only, second] = runs.flat();
  if (only === undefined) return undefined;
  const isWhole = only.quoted && second === undefined;
  if (isWhole && !isSeparator(text.charAt(only.end - 1))) return only.text;
  return runs.map((run) => text.slice(run.at(0)?.start, run.at(-1)?.end)).join(' ');
}

const isEndOfFlags = ({ quoted, text }: Word) => !quoted && /^(?:[-－]{2}|[—–―])$/.test(text);

function invalidValue(parameter: Parameter, word: Word, text: string): ArgumentFault {
  const reason = `${displayName(parameter)} must be ${parameter.expects}, not ${inlineCode(text)}`;
  const problem = parameter.problem?.(text);
  // As code: a schema may quote what was typed, with its mentions.
  const why = problem === undefined ? '.' : `: ${inlineCode(problem)}.`;
  const suggestion = nearest(text, parameter.choices ?? []);
  return { reason: reason + why + didYouMean(suggestion), span: word };
}

function unknownFlag(word: Word, suggestion: string | undefined): ArgumentFault {
  const reason = `There is no flag ${inlineCode(flagName(word))}.`;
  return { reason: reason + didYouMean(suggestion), span: word };
}

function extraWord(word: Word, { positionals }: Usage): ArgumentFault {
  const takesText = positionals.some(({ type }) => type === undefined || type === 'string');
  const hint = takesText ? ' Put quotes around a text with spaces.' : '';
  return { reason: `${inlineCode(word.text)} is one word too many.${hint}`, span: word };
}

const didYouMean = (suggestion: string | undefined) =>
  suggestion === undefined ? '' : ` Did you mean ${inlineCode(suggestion)}?`;

const flagName = (word: Word) => word.flag?.name ?? word.text;

const displayName = ({ name, kind }: Parameter) =>
  inlineCode(kind === 'positional' ? name : `--${name}`);

const expectation = ({ type, expects }: Parameter) =>
  type === undefined || type === 'string' ? '' : `: it must be ${expects}`;
