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
   * (`plainForm`) are ignored, and the name with the most words wins. The time does not depend on the number of commands.
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

/** One word of command names, in a trie by words. */
interface Node<V> {
  readonly next: Map<string, Node<V>>;
  entry?: { readonly command: Command<unknown>; readonly value: V };
}

/** Makes an empty table of commands. */
export function commandTable<V>(): CommandTable<V> {
  const root: Node<V> = { next: new Map() };
  const commands: Command<unknown>[] = [];
  const namesByLength = new Map<number, string[]>();

  function add(command: Command<unknown>, value: V): void {
    const names = [command.name, ...command.aliases];
    const folded = names.map(wordKey);
    const taken = names.find(
      (name, index) => folded.indexOf(wordKey(name)) < index || findNode(root, name)?.entry,
    );
    if (taken !== undefined) {
      const reason = `The name ${inlineCode(taken)} is taken by another command or alias`;
      throw new BotError('config_invalid', `${reason}: rename it in ${inlineCode(command.usage)}.`);
    }
    for (const name of names) insertNode(root, name).entry = { command, value };
    commands.push(command);
    if (command.hidden) return;
    for (const name of names) {
      const length = name.split(' ').length;
      namesByLength.set(length, [...(namesByLength.get(length) ?? []), name]);
    }
  }

  function find(text: string): FoundCommand<V> | undefined {
    const line = withoutCode(text);
    let node: Node<V> | undefined = root;
    let found: { entry: NonNullable<Node<V>['entry']>; end: number } | undefined;
    const start = spaceEnd(line, 0);
    for (let at = start; at < line.length && node.next.size > 0;) {
      const end = wordEnd(line, at);
      const key = wordKey(line.slice(at, end));
      if (key !== '') node = node.next.get(key);
      if (node === undefined) break;
      if (key !== '' && node.entry !== undefined) found = { entry: node.entry, end };
      at = spaceEnd(line, end);
    }
    if (found === undefined) return undefined;
    const { entry, end } = found;
    const { command, value } = entry;
    return { command, value, typed: line.slice(start, end), rest: line.slice(end).trim() };
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
    return findNode(root, name)?.entry?.command.help();
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

function findNode<V>(root: Node<V>, name: string): Node<V> | undefined {
  let node: Node<V> | undefined = root;
  for (const word of wordsOf(name)) node = node?.next.get(word);
  return node;
}

function insertNode<V>(root: Node<V>, name: string): Node<V> {
  let node = root;
  for (const word of wordsOf(name)) {
    let next = node.next.get(word);
    if (next === undefined) node.next.set(word, (next = { next: new Map() }));
    node = next;
  }
  return node;
}

const wordsOf = (name: string) => wordKey(name).split(/\s+/);
