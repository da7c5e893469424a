// Imported before all schemas: they otherwise probe `new Function`, which the Content-Security-Policy
// forbids and reports.
import { config } from 'zod';

config({ jitless: true });
