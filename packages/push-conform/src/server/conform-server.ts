import type { CheckGroup } from '../check.ts';
import type { Finding, RunOptions } from '../finding.ts';
import { runGenerations } from '../generations.ts';
import { type ProbeResponse, requireAccess } from '../send.ts';
import { newAccount } from './account-phone.ts';
import { browserChecks } from './browser-checks.ts';
import { deviceLifeChecks } from './device-life-checks.ts';
import { deviceRegistrationChecks } from './device-registration-checks.ts';
import { lifeChecks } from './life-checks.ts';
import { notificationChecks } from './notification-checks.ts';
import { registrationChecks } from './registration-checks.ts';
import { type Login, type ServerOptions, ServerTarget } from './server-target.ts';

/** A server of level 468 and later without the account generation asks for a `device_id`. */
async function withoutAccounts(target: ServerTarget): Promise<ProbeResponse | undefined> {
  const answer = await (await newAccount(target, 'fcm')).register();
  return answer.body['code'] === 'REQUEST_VARIABLE_MISSING' ? answer : undefined;
}

async function withoutDevices(target: ServerTarget): Promise<ProbeResponse | undefined> {
  const answer = await target.call('POST', '/register_client_device');
  if (answer.status === 404) return answer;
  const { device_id } = answer.body;
  if (device_id !== undefined) await target.call('POST', '/remove_client_device', { device_id });
  return undefined;
}

/** The checks, each of which leaves no device behind: a user may have only so many. */
const removingDevices = ({ group, checks }: CheckGroup<ServerTarget>) => ({
  group,
  checks: checks.map((check) => ({
    ...check,
    async run(target: ServerTarget): Promise<string> {
      try {
        return await check.run(target);
      } finally {
        await target.removeDevices();
      }
    },
  })),
});

/** Throws `CannotStart` unless the simulator and the server answer and take the token and the logins. */
async function requireAll(target: ServerTarget): Promise<void> {
  const { user, sender } = target.options;
  await target.simulator.requireAccess(target.timeoutMs);
  const logIn = (login: Login) => () => target.call('GET', '/users/me', {}, login);
  await requireAccess('chat server', 'user', logIn(user));
  if (sender) await requireAccess('chat server', 'sender', logIn(sender));
}

/**
 * Plays phones of a simulator against the chat server at `url`, and says which rules of the protocol it
 * breaks. Sends the user a few direct messages if there is a sender. Rejects with `CannotStart` before the
 * first check if the server or the simulator does not answer, or refuses a login or the token.
 */
export async function conformServer(
  url: string,
  { onFinding, signal, generation, ...options }: ServerOptions & RunOptions,
): Promise<Finding[]> {
  const accounts = new ServerTarget(url, options, 'account');
  const devices = new ServerTarget(url, options, 'device');
  signal?.throwIfAborted();
  await requireAll(accounts);
  try {
    return await runGenerations(
      {
        account: {
          target: accounts,
          groups: [registrationChecks, notificationChecks, lifeChecks, browserChecks],
          missing: withoutAccounts,
        },
        device: {
          target: devices,
          groups: [deviceRegistrationChecks, notificationChecks, lifeChecks, deviceLifeChecks].map(
            removingDevices,
          ),
          missing: withoutDevices,
        },
      },
      {
        ...(onFinding ? { onFinding } : {}),
        ...(signal ? { signal } : {}),
        ...(generation ? { generation } : {}),
      },
    );
  } finally {
    await accounts.endAccounts();
    for (const { simulator } of [accounts, devices])
      await simulator.uninstallAll().catch(() => undefined);
  }
}
