import { parseUuid } from '../../command-line/parse-flag.ts';

/** A realm of the server, instead of the whole server. */
export const realmFlag = {
  realm: {
    kind: 'parsed',
    parse: parseUuid,
    brief: 'ID of a realm: only that',
    placeholder: 'id',
    optional: true,
  },
} as const;
