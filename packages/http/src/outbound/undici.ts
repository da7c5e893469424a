import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** undici, loaded by the first request that a program sends: it has a hundred modules. */
export const undici = () => require('undici') as typeof import('undici');
