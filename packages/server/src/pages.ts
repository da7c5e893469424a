import { CONSOLE_PATH, isConsoleBuilt } from '@bellhop/console';
import { type Exchange, sitePages } from '@bellhop/http';
import { type Database, type DatabaseWatch, NotReady, readiness } from '@bellhop/postgres';
import { api, outgoingWebhooks } from '@bellhop/protocol';
import type { Logger } from 'pino';

import { EXTRA_EMOJI_PATH } from './emoji/built-in-emoji.ts';
import { emojiNames } from './emoji/emoji-table.ts';
import { extraEmojiImage } from './emoji/extra-emoji-image.ts';
import { type Secrets, WrongSecretError } from './engine/secrets.ts';
import type { Tables } from './engine/tables.ts';
import { LOADING_IMAGE } from './markdown/image-previews.ts';
import { requireSecret } from './model/users/require-secret.ts';

const emoji = () => JSON.stringify({ code_to_names: Object.fromEntries(emojiNames()) });

/** A bell: the default icon of a realm. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#0b6bcb"/><path d="M14 44a18 18 0 0 1 36 0zM29 22h6v5h-6zM10 47h44v5H10z" fill="#fff"/></svg>`;

/** Three dots, in place of an image whose thumbnail is not ready. */
const LOADING = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><g fill="#888"><circle cx="16" cy="32" r="5"/><circle cx="32" cy="32" r="5"/><circle cx="48" cy="32" r="5"/></g></svg>`;

interface PagesOptions {
  readonly db: Database<Tables>;
  readonly behindProxy: boolean;
  /** Counts a request of an address. Throws RATE_LIMIT_HIT. */
  readonly limit: (exchange: Exchange) => Promise<void>;
  readonly log: Logger;
  readonly secrets: Secrets;
  readonly watch: Pick<DatabaseWatch, 'details'>;
  readonly isLeaving: () => boolean;
}

/** Serves the documentation of the API, health checks, and the files that `/register` refers to. */
export const pages = ({ db, behindProxy, limit, log, secrets, watch, isLeaving }: PagesOptions) =>
  sitePages({
    contract: api,
    webhooks: outgoingWebhooks,
    title: 'Bellhop chat server API',
    prefix: '/api/v1',
    readiness: readiness(db, async () => {
      // The data of another server may have been restored since the start.
      await requireSecret(db.kysely, secrets).catch((error: unknown) => {
        if (!(error instanceof WrongSecretError)) throw error;
        throw new NotReady('wrong secret', `${error.message}.`);
      });
      return watch.details();
    }),
    isLeaving,
    behindProxy,
    limit,
    onLoadFailure: (err) => log.error({ err }, 'the pages cannot be served'),
    home: async () => ((await isConsoleBuilt()) ? CONSOLE_PATH : undefined),
    fixed: {
      '/api/icon.svg': { type: 'svg', body: () => ICON },
      [LOADING_IMAGE]: { type: 'svg', body: () => LOADING },
      '/api/emoji.json': { type: 'json', body: emoji },
      [EXTRA_EMOJI_PATH]: { type: 'png', body: () => extraEmojiImage },
    },
  });
