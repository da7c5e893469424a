import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Plugin } from 'vite';

import { iconNames } from './icon-names.ts';

const MODULE = 'virtual:icons';

interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
}

/** Gives the browser the shapes of the icons that it names, and of no others. */
export function iconsPlugin(): Plugin {
  return {
    name: 'icons',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id) => {
      if (id !== `\0${MODULE}`) return undefined;
      const file = createRequire(import.meta.url).resolve('@iconify-json/lucide/icons.json');
      const { icons } = JSON.parse(readFileSync(file, 'utf8')) as IconSet;
      const missing = iconNames.filter((name) => !(name in icons));
      if (missing.length > 0) throw new Error(`lucide has no icon ${missing.join(', ')}`);
      const named = iconNames.map((name) => [name, shapesIn(icons[name]?.body ?? '')]);
      return `export default ${JSON.stringify(Object.fromEntries(named))}`;
    },
  };
}

/** How each icon is drawn is said once, in the styles of the console. */
const isDrawing = (name: string) => name === 'fill' || name.startsWith('stroke');

/** Each shape of the SVG of an icon, without the group around them: its tag and attributes. */
const shapesIn = (body: string) =>
  [...body.matchAll(/<(\w+) ([^>]*)\/>/g)].map(([, tag, attributes = '']) => {
    const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value]) => [
      name,
      value,
    ]);
    return [tag, Object.fromEntries(pairs.filter(([name = '']) => !isDrawing(name)))];
  });
