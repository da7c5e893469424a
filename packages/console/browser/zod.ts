// The build puts this file in the place of `zod`: schemas otherwise probe `new Function`, which the
// Content-Security-Policy forbids and reports.
import { config } from 'zod/v4/core';

config({ jitless: true });

export * as z from 'zod/v4';
