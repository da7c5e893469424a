import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Plugin } from 'vite';

import { iconNames } from './icon-names.ts';

const MODULE = 'virtual:icons';

/** Gives the browser the shapes of the icons that it names, and of no others. */
export function iconsPlugin(): Plugin {
  return {
    name: 'icons',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: (id) => {
      if (id !== `\0${MODULE}`) return undefined;
      const file = createRequire(import.meta.url).resolve('lucide-static/icon-nodes.json');
      const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
      const missing = iconNames.filter((name) => !(name in all));
      if (missing.length > 0) throw new Error(`lucide has no icon ${missing.join(', ')}`);
      const named = Object.fromEntries(iconNames.map((name) => [name, all[name]]));
      return `export default ${JSON.stringify(named)}`;
    },
  };
}
