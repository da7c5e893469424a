import type { BouncerV1 } from '@bellhop/protocol/bouncer';

import type { HandlersOf } from '../app.ts';
import { countDevices, countRealms, usesOf } from '../quotas/queries.ts';
import { type QuotaName, quotaNames, type RateName, rates } from '../quotas/quota-table.ts';

const isRate = (name: QuotaName): name is RateName => Object.hasOwn(rates, name);
/** Other quotas limit each realm, account or device. */
const isOfServer = (name: QuotaName) => !/^(realm|account|device)_/.test(name);

/** The quotas of a chat server as it sees them. */
export const quotas: HandlersOf<BouncerV1['quotas']> = {
  async list({ server, app }) {
    const { kysely } = app.database;
    const limits = app.quotas.quotasOf(server);
    const [uses, devices, realms] = await Promise.all([
      usesOf(kysely, [`server ${server.server_uuid}`]),
      countDevices.server(kysely, server.server_uuid),
      countRealms(kysely, server.server_uuid),
    ]);
    const stateOf = (name: QuotaName) => {
      const limit = Number.isFinite(limits[name]) ? limits[name] : null;
      const state = (used: number, seconds: number | null, resets_at: number | null) => ({
        name,
        limit,
        seconds,
        used: isOfServer(name) ? used : null,
        resets_at,
      });
      if (!isRate(name)) return state(name === 'server_realms' ? realms : devices, null, null);
      const { seconds } = rates[name];
      const start = Math.floor(app.now() / 1_000 / seconds) * seconds;
      const use = uses.find(({ quota }) => quota === name);
      const isCurrent = use !== undefined && use.window_start.getTime() >= start * 1_000;
      return state(isCurrent ? use.used : 0, seconds, start + seconds);
    };
    return { quotas: quotaNames.map(stateOf) };
  },
};
