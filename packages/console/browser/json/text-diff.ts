import { diffLines } from 'diff';
import microdiff from 'microdiff';

import { pathStep } from './json-path.ts';
import type { Json } from './json-tree.tsx';
import { readJson } from './read-json.ts';

/** One difference of two texts. */
export type Difference =
  | {
      readonly kind: 'value';
      readonly path: string;
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly kind: 'lines';
      readonly change: 'added' | 'removed' | 'same';
      readonly text: string;
    };

/** The differences of two texts: by path if both are JSON, else by line. */
export function differences(before: string, after: string): readonly Difference[] {
  if (before === after) return [];
  const [one, other] = [readJson(before), readJson(after)];
  if (isContainer(one) && isContainer(other))
    return microdiff(one, other, { cyclesFix: false }).map((found) => ({
      kind: 'value',
      path: found.path.reduce<string>((path, key) => path + pathStep(key), '$'),
      before: found.type === 'CREATE' ? '' : JSON.stringify(found.oldValue),
      after: found.type === 'REMOVE' ? '' : JSON.stringify(found.value),
    }));
  return diffLines(before, after).map(({ added, removed, value }) => ({
    kind: 'lines',
    change: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

const isContainer = (value: Json | undefined): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null;
