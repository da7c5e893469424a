import type { Wildcard } from '@bellhop/protocol';
import type { Env } from 'markdown-it';

import type { Rule } from './compile-linkifier.ts';
import type { Directory } from './directory.ts';

/** The state of one rendering; rules get it by the parser's environment. */
export interface RenderState {
  directory: Directory;
  wildcards: readonly Wildcard[];
  linkifiers: readonly Rule[];
  /** Path of the image by name. */
  customEmoji: ReadonlyMap<string, string>;
  translatesEmoticons: boolean;
  /** The text is in a block quote, where mentions are silent. */
  quoted: boolean;
  /** Nesting levels around the content of a quote or spoiler fence. */
  outerLevel: number;
  /** Number of emoji rendered so far. */
  emoji: number;
  /** Number of formulas rendered so far, and the length of their TeX. */
  formulas: number;
  mathLength: number;
  /** Language of code blocks that name none; empty: no language. */
  defaultLanguage: string;
  /** Shows linked uploads of images below their paragraphs. */
  previewsImages: boolean;
  realmHost: string | undefined;
}

const states = new WeakMap<Env, RenderState>();

export function newEnv(state: RenderState): Env {
  const env: Env = {};
  states.set(env, state);
  return env;
}

export function renderState(env: Env): RenderState {
  const state = states.get(env);
  if (!state) throw new Error('The message parser was called without a render state.');
  return state;
}
