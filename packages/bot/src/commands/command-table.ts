import { BotError } from '../bot-error.ts';
import { commandList } from './command-help.ts';
import type { Command } from './command.ts';
import { inlineCode } from './markdown-code.ts';
import { nearest } from './nearest.ts';
import { spaceEnd, wordEnd } from './word-bounds.ts';

/** A command that a text starts with. */
export interface FoundCommand<V> {
  readonly command: Command<unknown>;
  /** What was given to `add`. */
  readonly value: V;
  /** The name or alias as it was typed. */
  readonly typed: string;
  /** What follows the name. */
  readonly rest: string;
}

/** Commands by name, and something kept for each, such as its handler. */
export interface CommandTable<V> {
  readonly size: number;
  /** Throws a BotError (`config_invalid`) when a name or an alias is taken. */
  readonly add: (command: Command<unknown>, value: V) => void;
  /**
   * The command whose name or alias the text starts with, in capitals or not, the one of most
   * words first. Takes as long however many commands there are.
   */
  readonly find: (text: string) => FoundCommand<V> | undefined;
  /** The name that was probably meant at the start of a text that `find` knows no command for. */
  readonly nearest: (text: string) => string | undefined;
  /** Markdown: all commands that are not hidden, or the details of the one of that name. */
  readonly help: {
    (): string;
    (name: string): string | undefined;
  };
}

interface Node<V> {
  readonly next: Map<string, Node<V>>;
  entry?: { readonly command: Command<unknown>; readonly value: V };
}

/** Makes an empty table of commands. */
export function commandTable<V>(): CommandTable<V> {
  const root: Node<V> = { next: new Map() };
  const commands: Command<unknown>[] = [];
  const suggestions = new Map<number, string[]>();

  function add(command: Command<unknown>, value: V): void {
    const names = [command.name, ...command.aliases];
    const folded = names.map((name) => name.toLowerCase());
    const taken = names.find(
      (name, index) => folded.indexOf(name.toLowerCase()) < index || nodeOf(root, name)?.entry,
    );
    if (taken !== undefined) {
      const reason = `There is a command or an alias ${inlineCode(taken)} already`;
      throw new BotError(
        'config_invalid',
        `${reason}: ${inlineCode(command.usage)} needs another.`,
      );
    }
    for (const name of names) place(root, name).entry = { command, value };
    commands.push(command);
    if (command.hidden) return;
    for (const name of names) {
      const length = name.split(' ').length;
      suggestions.set(length, [...(suggestions.get(length) ?? []), name]);
    }
  }

  function find(text: string): FoundCommand<V> | undefined {
    const line = withoutCode(text);
    let node: Node<V> | undefined = root;
    let found: { entry: NonNullable<Node<V>['entry']>; end: number } | undefined;
    const start = spaceEnd(line, 0);
    for (let at = start; at < line.length && node.next.size > 0;) {
      const end = wordEnd(line, at);
      node = node.next.get(line.slice(at, end).toLowerCase());
      if (node === undefined) break;
      if (node.entry !== undefined) found = { entry: node.entry, end };
      at = spaceEnd(line, end);
    }
    if (found === undefined) return undefined;
    const { entry, end } = found;
    const { command, value } = entry;
    return { command, value, typed: line.slice(start, end), rest: line.slice(end).trim() };
  }

  function suggest(text: string): string | undefined {
    const words = text.slice(0, 200).trim().split(/\s+/);
    const longestFirst = Array.from(suggestions).toSorted(([a], [b]) => b - a);
    for (const [length, names] of longestFirst) {
      const meant = nearest(words.slice(0, length).join(' '), names);
      if (meant !== undefined) return meant;
    }
    return undefined;
  }

  function help(): string;
  function help(name: string): string | undefined;
  function help(name?: string): string | undefined {
    if (name === undefined) return commandList(commands.filter(({ hidden }) => !hidden));
    return nodeOf(root, name)?.entry?.command.help();
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

// Commands are copied out of help texts together with the backticks around them.
function withoutCode(text: string): string {
  if (!text.startsWith('`')) return text;
  return /^`([^`]+)`$/.exec(text)?.[1] ?? text;
}

function nodeOf<V>(root: Node<V>, name: string): Node<V> | undefined {
  let node: Node<V> | undefined = root;
  for (const word of wordsOf(name)) node = node?.next.get(word);
  return node;
}

function place<V>(root: Node<V>, name: string): Node<V> {
  let node = root;
  for (const word of wordsOf(name)) {
    let next = node.next.get(word);
    if (next === undefined) node.next.set(word, (next = { next: new Map() }));
    node = next;
  }
  return node;
}

const wordsOf = (name: string) => name.trim().toLowerCase().split(/\s+/);
