import { defineCommand } from '@bellhop/bot-cli/command-line';
import { deactivateRealm, reactivateRealm } from '@bellhop/server/provision';

import { inRealm, realmEnvironment, subdomainFlag } from './in-realm.ts';

const activityCommand = (description: string, isActive: boolean) =>
  defineCommand({
    description: `${description}\n${realmEnvironment}`,
    flags: { subdomain: subdomainFlag },
    async run({ subdomain }) {
      const change = isActive ? reactivateRealm : deactivateRealm;
      const state = isActive ? 'active' : 'deactivated';
      const done = await inRealm(subdomain, async ({ tx, realm }) => {
        const hasChanged = await change(tx, realm.id);
        return `The organization "${realm.name}" is ${hasChanged ? 'now' : 'already'} ${state}.`;
      });
      console.log(done);
    },
  });

export const deactivate = activityCommand(
  'Event queues, push devices and console sessions end, and every call is answered REALM_DEACTIVATED. All data stays.',
  false,
);
export const reactivate = activityCommand(
  'Users and bots sign in with the same keys as before, and phones register again.',
  true,
);
