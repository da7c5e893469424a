import { enqueue, job } from '@bellhop/jobs';
import { ApiError, type AskOf, type Bouncer, thisVersion } from '@bellhop/protocol';
import { z } from 'zod';

import type { App } from '../../engine/app.ts';
import { realmUrl } from '../realms/find-realms.ts';
import * as realms from '../realms/queries.ts';
import { recordPushStatus } from '../realms/record-push-status.ts';
import { logTrouble, retryAfter, troubleOf } from './bouncer-trouble.ts';

type Announced = NonNullable<AskOf<Bouncer['servers']['announce']>['realms']>[number];

/**
 * Tells the bouncer of all realms, which it must know before they can push, and keeps what it says
 * of each. A bouncer that does not know this server has it registered first.
 */
export async function announce(app: App, signal?: AbortSignal): Promise<void> {
  const { bouncer } = app;
  if (!bouncer) return;
  const options = signal ? { signal } : {};
  const rows = await realms.withOwnerSecrets(app.db.kysely);
  const announcement = {
    realm_counts: [],
    installation_counts: [],
    realms: rows.map((row) => announced(row, app)),
    version: thisVersion.zulip_version,
    merge_base: thisVersion.zulip_merge_base,
    api_feature_level: thisVersion.zulip_feature_level,
  };
  const ask = () => bouncer.servers.announce(announcement, options);
  const answer = await ask().catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    await registerServer(app, options);
    return ask();
  });
  for (const { id, uuid, push_enabled, push_end_timestamp } of rows) {
    const status = answer.realms[uuid];
    if (!status) continue;
    const { can_push, expected_end_timestamp } = status;
    if (can_push === push_enabled && expected_end_timestamp === push_end_timestamp) continue;
    await app.change({ id }, (change) => recordPushStatus(change, { id, ...status }));
  }
}

async function registerServer({ bouncer, config, log }: App, options: { signal?: AbortSignal }) {
  if (!bouncer || !config.bouncer) return;
  const { created } = await bouncer.servers.register(
    {
      zulip_org_id: config.bouncer.orgId,
      zulip_org_key: config.bouncer.orgKey,
      hostname: new URL(config.externalUrl).host,
      contact_email: config.adminEmail ?? emailAt(config.externalUrl),
    },
    options,
  );
  log.info({ created }, 'registered this server with the push bouncer');
}

/** An address at the host people use, unless that cannot be part of one, like localhost. */
function emailAt(externalUrl: string): string {
  const address = z.email().safeParse(`admin@${new URL(externalUrl).hostname}`);
  return address.success ? address.data : 'admin@localhost.localdomain';
}

type Row = Awaited<ReturnType<typeof realms.withOwnerSecrets>>[number];

function announced(row: Row, { config }: App): Announced {
  const url = realmUrl(config.externalUrl, row.subdomain);
  return {
    id: row.id,
    host: new URL(url).host,
    url,
    name: row.name,
    uuid: row.uuid,
    uuid_owner_secret: row.uuid_owner_secret,
    deactivated: !row.is_active,
    date_created: Math.floor(row.date_created.getTime() / 1000),
    org_type: 0,
    is_system_bot_realm: false,
    authentication_methods: { Email: true },
  };
}

/** Announces the realms: when the server starts, every hour, and when the bouncer misses one. */
export const announceRealms = job<object, App>({
  name: 'announce_realms',
  payload: z.object({}),
  lane: 'bouncer',
  retry: [2, 5, 15, 60, 300, 900],
  everySeconds: 3600,
  timeoutMs: 70_000,
  async run(_payload, app, { signal }) {
    try {
      await announce(app, signal);
      return undefined;
    } catch (error) {
      const trouble = troubleOf(error);
      logTrouble(app, trouble, 'the realms could not be announced');
      return retryAfter(trouble);
    }
  },
});

/** Adds an announcement to be made now, unless one is under way. */
export const announceSoon = ({ db }: App): Promise<string> =>
  db.transaction((tx) => enqueue(tx, announceRealms, {}, { dedupe: 'soon' }));
