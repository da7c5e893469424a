import { setServerActive } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { databaseHelp, operateBouncer } from '../operate-bouncer.ts';
import { serverArgument } from './server-argument.ts';

const activityCommand = (description: string, isActive: boolean) =>
  defineCommand({
    description: `${description}\n${databaseHelp}`,
    args: [serverArgument],
    async run(_flags, subject) {
      const { hostname, hasChanged } = await operateBouncer((operator) =>
        setServerActive(operator, subject, isActive),
      );
      const state = isActive ? 'active' : 'deactivated';
      console.log(`The chat server ${hostname} is ${hasChanged ? 'now' : 'already'} ${state}.`);
    },
  });

export const activate = activityCommand('It calls again with the same key as before.', true);
export const deactivate = activityCommand(
  'Its calls are answered UNAUTHORIZED, and registering again does not help. Its host name is free for another server.',
  false,
);
