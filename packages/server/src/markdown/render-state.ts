import type { Env } from 'markdown-it';

import type { Directory } from './directory.ts';

/** What one rendering knows beside the text; the parser's rules find it through the environment. */
export interface RenderState {
  directory: Directory;
  topicWildcardAllowed: boolean;
  /** In a block quote: mentions are silent there. */
  quoted: boolean;
  /** Levels around the text being parsed when it is the inside of a quote or spoiler fence. */
  outerLevel: number;
  /** How many emoji were rendered so far. */
  emoji: number;
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
