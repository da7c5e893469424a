import { valueFlag } from '../../command-line/flags.ts';
import { parseUuid } from '../../command-line/parse-flag.ts';

/** A realm of the server, instead of the whole server. */
export const realmFlag = { realm: valueFlag('ID of a realm: only that', 'id', parseUuid) };
