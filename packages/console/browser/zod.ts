// Stands between zod and all that imports it (`zod-plugin.ts`): schemas otherwise probe `new Function`,
// which the Content-Security-Policy forbids and reports.
import { config } from 'zod';

config({ jitless: true });

export * from 'zod';
