import { plainForm, visibleText, wordKey } from '@bellhop/protocol/plain';

import { BotError } from '../bot-error.ts';
import { commandList } from './command-help.ts';
import type { Command } from './command.ts';
import { inlineCode } from './markdown-code.ts';
import { nearest } from './nearest.ts';
import { spaceEnd, wordEnd } from './word-bounds.ts';

/** The command at the start of a text. */
export interface FoundCommand<V> {
  readonly command: Command<unknown>;
  /** The value given to `add`. */
  readonly value: V;
  /** The name or alias as the user typed it. */
  readonly typed: string;
  /** The text after the name. */
  readonly rest: string;
}

/** Commands by name, each with a value such as its handler. */
export interface CommandTable<V> {
  readonly size: number;
  /** Throws a BotError (`config_invalid`) if the name or an alias is taken. */
  readonly add: (command: Command<unknown>, value: V) => void;
  /**
   * The command whose name or alias the text starts with. Letter case and the way of typing
   * (`plainForm`) are ignored, and the name with the most words wins.
   */
  readonly find: (text: string) => FoundCommand<V> | undefined;
  /** The name most similar to the start of a text in which `find` finds no command. */
  readonly nearest: (text: string) => string | undefined;
  /** Markdown: the list of commands that are not hidden, or the help of the named command. */
  readonly help: {
    (): string;
    (name: string): string | undefined;
  };
}

/** Makes an empty table of commands. */
export function commandTable<V>(): CommandTable<V> {
  /** Commands by name or alias, in the form of `keyOf`. */
  const entries = new Map<string, { readonly command: Command<unknown>; readonly value: V }>();
  const commands: Command<unknown>[] = [];
  const namesByLength = new Map<number, string[]>();
  let mostWords = 0;

  function add(command: Command<unknown>, value: V): void {
    const names = [command.name, ...command.aliases];
    const keys = names.map(keyOf);
    const taken = names.find(
      (_, at) => keys.indexOf(keys[at] ?? '') < at || entries.has(keys[at] ?? ''),
    );
    if (taken !== undefined) {
      const reason = `The name ${inlineCode(taken)} is taken by another command or alias`;
      throw new BotError('config_invalid', `${reason}: rename it in ${inlineCode(command.usage)}.`);
    }
    for (const key of keys) {
      entries.set(key, { command, value });
      mostWords = Math.max(mostWords, key.split(' ').length);
    }
    commands.push(command);
    if (command.hidden) return;
    for (const name of names) {
      const length = name.split(' ').length;
      namesByLength.set(length, [...(namesByLength.get(length) ?? []), name]);
    }
  }

  function find(text: string): FoundCommand<V> | undefined {
    const line = withoutCode(text);
    const start = spaceEnd(line, 0);
    const words: string[] = [];
    let found: FoundCommand<V> | undefined;
    for (let at = start; at < line.length && words.length < mostWords;) {
      const end = wordEnd(line, at);
      const word = wordKey(line.slice(at, end));
      if (word !== '') words.push(word);
      const entry = word === '' ? undefined : entries.get(words.join(' '));
      if (entry !== undefined)
        found = { ...entry, typed: line.slice(start, end), rest: line.slice(end).trim() };
      at = spaceEnd(line, end);
    }
    return found;
  }

  function suggest(text: string): string | undefined {
    const words = plainForm(text.slice(0, 200)).split(' ');
    const longestFirst = Array.from(namesByLength).toSorted(([a], [b]) => b - a);
    for (const [length, names] of longestFirst) {
      const suggestion = nearest(words.slice(0, length).join(' '), names);
      if (suggestion !== undefined) return suggestion;
    }
    return undefined;
  }

  function help(): string;
  function help(name: string): string | undefined;
  function help(name?: string): string | undefined {
    if (name === undefined) return commandList(commands.filter(({ hidden }) => !hidden));
    return entries.get(keyOf(name))?.command.help();
  }

  return {
    get size() {
      return commands.length;
    },
    add,
    find,
    nearest: suggest,
    help,
  };
}

// People copy commands from help texts with the backticks around them.
function withoutCode(text: string): string {
  const visible = visibleText(text);
  if (!visible.startsWith('`')) return text;
  return /^`([^`]+)`$/.exec(visible)?.[1] ?? text;
}

const keyOf = (name: string) => wordKey(name).split(/\s+/).join(' ');
