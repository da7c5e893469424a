import { listApps } from '@bellhop/bouncer/operator';

import { defineCommand } from '../command-line/command.ts';
import { printRows } from '../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from './operate-bouncer.ts';
import { readBouncerConfig } from './read-bouncer-config.ts';

export const apps = defineCommand({
  description: `Run it with the environment of the bouncer. Prints each app of the configuration and of the registered devices: whose credentials serve it, what trouble the running bouncers have with its provider, and its devices. "unconfigured": nobody's credentials serve it. The providers are not asked: "bellhop bouncer doctor" asks them.\n${databaseHelp}`,
  flags: jsonFlag,
  async run({ json }) {
    const config = readBouncerConfig();
    const found = await operateBouncer((operator) => listApps(operator, config));
    if (!json && found.length === 0)
      console.log('There are no apps: no sender lists any, and no device is registered.');
    printRows(found, { json });
  },
});
