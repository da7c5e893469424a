import type { Plugin } from 'vite';

/** The layers of all style sheets, the weakest first. */
const LAYERS = '@layer reset, tokens, base, controls, shell, parts, motion;\n';

/**
 * Declares the order of the layers in every style sheet: the first that a browser loads decides it, and
 * which one that is depends on how the build splits them.
 */
export const layersPlugin = (): Plugin => ({
  name: 'layers',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('.css') ? { code: LAYERS + code, map: null } : undefined),
});
