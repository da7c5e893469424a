import { h } from 'preact';
import shapes from 'virtual:icons';

import type { IconName } from '../../src/icon-names.ts';

/** A picture beside a word, which has its meaning. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    {shapes[name]?.map(([tag, attributes]) => h(tag, { ...attributes }))}
  </svg>
);
