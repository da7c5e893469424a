export { BadConfig, type BouncerEnvironment, readConfig } from './config/bouncer-config.ts';
export { migrations } from './migrations.ts';
export { type AppSummary, listApps } from './operator/apps.ts';
export { type OperatorConfig, readOperatorConfig } from './config/operator-config.ts';
export { latestEntries } from './audit/audit-log.ts';
export { ban, listBans, unban } from './operator/ban.ts';
export { deleteRealm, deleteServer } from './operator/delete-data.ts';
export { deleteDevice, listDevices, showDevice } from './operator/devices.ts';
export { exportData } from './operator/export-data.ts';
export { invite, listInvitations, revoke } from './operator/invite.ts';
export { createKey, importKeys, listKeys, resealKeys, retire } from './operator/keys.ts';
export { type Operator, OperatorError } from './operator/operator.ts';
export { parseQuota } from './quotas/parse-quotas.ts';
export { quotaNames } from './quotas/quota-table.ts';
export { findServer, listServers, showServer } from './operator/servers.ts';
export { setQuotas } from './operator/set-quotas.ts';
export { setServerActive } from './operator/set-server-active.ts';
export { diagnose, type DiagnoseOptions } from './doctor/diagnose.ts';
export type { Finding } from './doctor/finding.ts';
export {
  queuedPushes,
  replayPushes,
  type QueuedPush,
  type QueueFilter,
  type QueueState,
} from './operator/queued-pushes.ts';
export { sendTest } from './operator/send-test.ts';
export { readTraces } from './traces/read-traces.ts';
