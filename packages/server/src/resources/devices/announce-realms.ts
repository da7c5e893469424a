import { cancel, enqueue } from '@bellhop/jobs';
import { type AskOf, type Bouncer, versionAt } from '@bellhop/protocol';
import { z } from 'zod';

import { ApiError } from '../../engine/api-error.ts';
import type { App, JobApp } from '../../engine/app.ts';
import { job } from '../../engine/job.ts';
import { failureOf, logFailure, retryAfter } from '../../model/devices/bouncer-failure.ts';
import * as realms from '../../model/realms/queries.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import { realmUrl } from '../../model/realms/realm-url.ts';
import { claimHostName } from './claim-host-name.ts';
import { recordPushStatus } from './record-push-status.ts';

type RealmAnnouncement = NonNullable<AskOf<Bouncer['servers']['announce']>['realms']>[number];

/**
 * Announces all realms to the bouncer, which sends pushes only for realms it knows, and stores the
 * push status of each from its response. Registers this server first if the bouncer does not know it.
 */
export async function announce(app: JobApp, signal?: AbortSignal): Promise<void> {
  const { bouncer, config } = app;
  if (!bouncer) return;
  const version = versionAt(config.publicFeatureLevel);
  const options = signal ? { signal } : {};
  const { kysely } = app.db;
  const rows: RealmRow[] = [];
  for (const id of await realms.ids(kysely)) rows.push(await realms.withOwnerSecret(kysely, id));
  const announcement = {
    realm_counts: [],
    installation_counts: [],
    realms: rows.map((row) => announcementOf(row, app)),
    version: version.zulip_version,
    merge_base: version.zulip_merge_base,
    api_feature_level: version.zulip_feature_level,
  };
  const request = () => bouncer.servers.announce(announcement, options);
  const response = await request().catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    await registerServer(app, options);
    return request();
  });
  for (const { id, uuid, push_enabled, push_end_timestamp } of rows) {
    const status = response.realms[uuid];
    if (!status) continue;
    const { can_push, expected_end_timestamp } = status;
    if (can_push === push_enabled && expected_end_timestamp === push_end_timestamp) continue;
    await app.change({ id }, (change) => recordPushStatus(change, { id, ...status }));
  }
}

async function registerServer(app: JobApp, options: { signal?: AbortSignal }): Promise<void> {
  const { bouncer, config, log } = app;
  if (!bouncer || !config.bouncer) return;
  const facts = {
    zulip_org_id: config.bouncer.orgId,
    zulip_org_key: config.bouncer.orgKey,
    hostname: new URL(config.externalUrl).host,
    contact_email: config.adminEmail ?? emailAt(config.externalUrl),
    registration_token: config.bouncer.registrationToken,
  };
  const register = () => bouncer.servers.register(facts, options);
  const { created } = await register().catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR'))
      throw error;
    await claimHostName(app, options).catch((failure: unknown) => {
      log.warn({ err: failure }, 'push bouncer: the host name of this server could not be proved');
      throw error;
    });
    return register();
  });
  log.info({ created }, 'registered this server with the push bouncer');
}

/** `admin@` the external host, or `admin@localhost.localdomain` if no email address can have that host. */
function emailAt(externalUrl: string): string {
  const address = z.email().safeParse(`admin@${new URL(externalUrl).hostname}`);
  return address.success ? address.data : 'admin@localhost.localdomain';
}

type RealmRow = Awaited<ReturnType<typeof realms.withOwnerSecret>>;

function announcementOf(row: RealmRow, { config }: Pick<App, 'config'>): RealmAnnouncement {
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
    org_type: settingsOf(row).org_type,
    is_system_bot_realm: false,
    authentication_methods: { Email: true },
  };
}

/** Announces all realms: at server start, every hour, and after the bouncer answers that it does not know one. */
export const announceRealms = job<object>({
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
      const failure = failureOf(error);
      logFailure(app, failure, 'the realms could not be announced');
      return retryAfter(failure);
    }
  },
});

/**
 * Enqueues an announcement, unless one is running. Replaces one that waits for its next attempt: what
 * failed before a restart may have been repaired.
 */
export const announceSoon = ({ db }: Pick<App, 'db'>): Promise<string> =>
  db.transaction(async (tx) => {
    await cancel(tx, announceRealms, 'soon');
    return enqueue(tx, announceRealms, {}, { dedupe: 'soon' });
  });
