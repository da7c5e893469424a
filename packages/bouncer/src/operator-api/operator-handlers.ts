import type { JobStatistics } from '@bellhop/jobs';
import {
  type AnswerOf,
  badRequest,
  type BouncerOperator,
  type Endpoint,
  type ParamsOf,
  TokenKind,
} from '@bellhop/protocol/bouncer';

import type { App } from '../app.ts';
import { type AuditEntry, latestEntries } from '../audit/audit-log.ts';
import { listApps } from '../operator/apps.ts';
import { ban, listBans, unban } from '../operator/ban.ts';
import { deleteRealm, deleteServer } from '../operator/delete-data.ts';
import { deleteDevice, listDevices, showDevice } from '../operator/devices.ts';
import { exportPage } from '../operator/export-data.ts';
import { invite, listInvitations, revoke } from '../operator/invite.ts';
import { createKey, listKeys, retire } from '../operator/keys.ts';
import { type Operator, OperatorError } from '../operator/operator.ts';
import { type QueueFilter, queuedPushes, replayPushes } from '../operator/queued-pushes.ts';
import { quotaStates } from '../operator/quota-states.ts';
import { sendTest } from '../operator/send-test.ts';
import {
  findServer,
  listServers,
  type ServerSummary,
  type ShownServer,
  showServer,
} from '../operator/servers.ts';
import { setQuotas } from '../operator/set-quotas.ts';
import { setServerActive } from '../operator/set-server-active.ts';
import { type QuotaSetting, requireQuotaName } from '../quotas/parse-quotas.ts';
import { quotaNames } from '../quotas/quota-table.ts';
import { retryJobName } from '../retry/retry-job-name.ts';
import { countOutcomes, recentTraces } from './recent-traces.ts';

/** The parts of a bouncer that the handlers read. */
export interface OperatedBouncer {
  readonly app: App;
  readonly statistics: () => Promise<JobStatistics>;
}
interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly app: App;
  readonly operator: Operator;
  readonly statistics: OperatedBouncer['statistics'];
}
type Resources = Omit<BouncerOperator, 'session'>;
type Handlers = {
  readonly [R in keyof Resources]: {
    readonly [N in keyof Resources[R]]: Resources[R][N] extends Endpoint
      ? (call: Call<Resources[R][N]>) => Promise<AnswerOf<Resources[R][N]>>
      : never;
  };
};

const HOUR_MS = 3_600_000;

const msOf = (date: Date | null): number | null => date && date.getTime();

/** Turns an OperatorError into BAD_REQUEST. */
const orBadRequest = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof OperatorError ? badRequest(error.message) : error;
  });

const operatedServer = ({ created_at, ...server }: ServerSummary) => ({
  ...server,
  created_ms: created_at.getTime(),
});

const auditRecord = ({ at, ...entry }: AuditEntry) => ({ ...entry, at_ms: at.getTime() });

/** Throws BAD_REQUEST for a name that is no quota, and if nothing is set. */
function quotaSettings(
  quotas: Readonly<Record<string, number | 'default' | 'unlimited'>>,
): QuotaSetting[] {
  const given = Object.entries(quotas);
  if (given.length === 0)
    throw badRequest(`No quota is given: name one or more of ${quotaNames.join(', ')}`);
  try {
    return given.map(([name, value]) => [
      requireQuotaName(name),
      value === 'unlimited' ? null : value === 'default' ? undefined : value,
    ]);
  } catch (error) {
    throw error instanceof SyntaxError ? badRequest(error.message) : error;
  }
}

/** The quotas of a server, as they are in force. */
const statesOf = (
  { app, operator }: Pick<Call<Endpoint>, 'app' | 'operator'>,
  shown: ShownServer,
) =>
  quotaStates(
    app.database.kysely,
    { server_uuid: shown.server.server_uuid, quotas: shown.quotas },
    { limits: app.quotas.quotasOf(shown), nowMs: operator.now() },
  );

interface AskedQueue extends Pick<QueueFilter, 'state' | 'provider' | 'limit'> {
  readonly server_uuid?: string | undefined;
  readonly realm_uuid?: string | undefined;
  readonly device_id?: number | undefined;
}
const queueFilter = ({ state, provider, limit, ...of }: AskedQueue): QueueFilter => ({
  state,
  provider,
  limit,
  serverUuid: of.server_uuid,
  realmUuid: of.realm_uuid,
  deviceId: of.device_id,
});

export const operatorHandlers: Handlers = {
  servers: {
    list: async ({ app }) => ({
      servers: (await listServers(app.database.kysely)).map(operatedServer),
    }),
    show: async ({ app, operator, params }) => {
      const shown = await orBadRequest(showServer(app.database.kysely, params.server));
      const { server, realms, audit } = shown;
      const quotas = await statesOf({ app, operator }, shown);
      return { server: operatedServer(server), realms, quotas, audit: audit.map(auditRecord) };
    },
    setActive: async ({ operator, params: { server, active } }) => {
      const { hostname, hasChanged } = await orBadRequest(
        setServerActive(operator, server, active),
      );
      return { hostname, changed: hasChanged };
    },
    setQuotas: async ({ app, operator, params }) => {
      const settings = quotaSettings(params.quotas);
      const id = await orBadRequest(setQuotas(operator, params.server, settings));
      const shown = await orBadRequest(showServer(app.database.kysely, id));
      const states = await statesOf({ app, operator }, shown);
      return {
        hostname: shown.server.hostname,
        quotas: states.filter(({ quota }) => settings.some(([name]) => name === quota)),
      };
    },
    export: ({ operator, params: { server: subject, realm_uuid: realmUuid, after } }) =>
      orBadRequest(exportPage(operator, { subject, realmUuid, after })),
    delete: async ({ operator, params: { server } }) => ({
      hostname: await orBadRequest(deleteServer(operator, server)),
    }),
    deleteRealm: async ({ operator, params: { server, realm_uuid } }) => {
      await orBadRequest(deleteRealm(operator, server, realm_uuid));
      return {};
    },
  },
  devices: {
    list: async ({ app, params: { server_uuid, realm_uuid, ...page } }) => ({
      devices: await listDevices(app.database.kysely, {
        ...page,
        serverUuid: server_uuid,
        realmUuid: realm_uuid,
      }),
    }),
    show: async ({ app, params }) => ({
      device: await orBadRequest(showDevice(app.database.kysely, params.device_id)),
    }),
    delete: async ({ operator, params }) => {
      await orBadRequest(deleteDevice(operator, params.device_id));
      return {};
    },
    sendTest: async ({ app, operator, params }) => {
      const sent = await orBadRequest(sendTest(operator, app.config, params.device_id));
      return { accepted: sent.isAccepted, lines: [...sent.lines] };
    },
  },
  apps: { list: async ({ app, operator }) => ({ apps: await listApps(operator, app.config) }) },
  keys: {
    list: async ({ app }) => ({
      keys: (await listKeys(app.database.kysely, app.config)).map(
        ({ created_at, last_registration, ...key }) => ({
          ...key,
          created_ms: msOf(created_at),
          last_registration_ms: msOf(last_registration),
        }),
      ),
    }),
    create: async ({ app, operator }) => ({
      public_key: await orBadRequest(createKey(operator, app.config)),
    }),
    retire: async ({ app, operator, params: { public_key: publicKey, force: isForced } }) => {
      return orBadRequest(retire(operator, { publicKey, keys: app.config.keys, isForced }));
    },
  },
  lanes: {
    list: async ({ statistics }) => {
      const { jobs } = await statistics();
      return {
        lanes: TokenKind.options.map((provider) => {
          const job = jobs.find(({ name }) => name === retryJobName(provider));
          return {
            provider,
            waiting: job?.queued ?? 0,
            running: job?.running ?? 0,
            ended: job?.dead ?? 0,
            oldest_seconds: job?.oldestSeconds ?? 0,
          };
        }),
      };
    },
  },
  queue: {
    list: async ({ app, params }) => ({
      notifications: (await queuedPushes(app.database.kysely, queueFilter(params))).map(
        ({ accepted_at, next_attempt, ...push }) => ({
          ...push,
          accepted_ms: accepted_at.getTime(),
          next_attempt_ms: msOf(next_attempt),
        }),
      ),
    }),
    replay: async ({ operator, params }) => ({
      count: await replayPushes(operator, queueFilter(params), params.seconds),
    }),
  },
  outcomes: {
    list: async ({ app, operator, params }) =>
      countOutcomes(app.database.kysely, params, operator.now()),
  },
  pushes: {
    list: async ({ app, params }) => ({ pushes: await recentTraces(app.database.kysely, params) }),
  },
  feedback: {
    list: async ({ app, params: { outcome = null, provider = null, limit } }) => {
      const rows = await app.database.kysely
        .selectFrom('push_outcome')
        .select(['at', 'server_uuid', 'push_id', 'device_id', 'provider', 'outcome', 'reason'])
        .$if(outcome !== null, (query) => query.where('outcome', '=', outcome))
        .$if(provider !== null, (query) => query.where('provider', '=', provider))
        .orderBy('at', 'desc')
        .limit(limit)
        .execute();
      return { entries: rows.map(({ at, ...row }) => ({ ...row, at_ms: at.getTime() })) };
    },
  },
  audit: {
    list: async ({ app, params: { server, ...filter } }) => {
      const { kysely } = app.database;
      const found =
        server === undefined ? undefined : await orBadRequest(findServer(kysely, server));
      const entries = await latestEntries(kysely, { ...filter, serverUuid: found?.server_uuid });
      return { entries: entries.map(auditRecord) };
    },
  },
  access: {
    list: async ({ app, operator }) => ({
      bans: (await listBans(app.database.kysely)).map(({ created_at, ...ban }) => ({
        ...ban,
        created_ms: created_at.getTime(),
      })),
      invitations: (await listInvitations(operator)).map((invitation) => ({
        number: invitation.invitation_number,
        server_uuid: invitation.server_uuid,
        expires_ms: invitation.expires_at.getTime(),
      })),
    }),
    ban: async ({ operator, params: { subject, reason } }) => ({
      hostnames: [...(await orBadRequest(ban(operator, subject, reason)))],
    }),
    unban: async ({ operator, params: { subject } }) => {
      await orBadRequest(unban(operator, subject));
      return {};
    },
    invite: async ({ operator, params: { hours, server_uuid: serverUuid } }) => {
      const validMs = hours * HOUR_MS;
      const { number, token, expires_at } = await orBadRequest(
        invite(operator, { validMs, serverUuid }),
      );
      return { number, token: token ?? null, expires_ms: expires_at.getTime() };
    },
    revoke: async ({ operator, params: { number } }) => {
      await orBadRequest(revoke(operator, number));
      return {};
    },
  },
};
