import { defineCommand, switchFlag, textFlag } from '@bellhop/bot-cli/command-line';
import { diagnose, type Finding, migrations } from '@bellhop/bouncer/operator';

import { misspeltVariables } from '../service/misspelt-variables.ts';
import { printDoctor } from '../service/print-doctor.ts';
import { bouncerVariableNames, bouncerVariablesOfServers } from './variable-names.ts';

export const doctor = defineCommand({
  description: `Run it with the environment of the bouncer. It checks the configuration, the database and its tables, the keys, who may register, names, network and clock, and whether Apple and Google accept the credentials: it asks them to notify a phone that does not exist. It changes nothing, and needs no running bouncer.
Prints what to do about each check that does not pass. Exit code: 0, or 1 if a check failed; warnings do not count.`,
  flags: {
    app: textFlag(
      'ID of an iPhone app of yours, to have Apple check that the key may send to it',
      'id',
    ),
    json: switchFlag('Print JSON, an object per line'),
  },
  async run({ app, json }) {
    const { env } = process;
    const names = [...bouncerVariableNames, ...bouncerVariablesOfServers];
    const dataDir = env['BELLHOP_DATA_DIR'] || '.bellhop-bouncer';
    const findings = [
      ...misspeltVariables(env, names).map(misspelt),
      ...(await diagnose({ env, migrations, dataDir, app })),
    ];
    return printDoctor(findings, { program: 'bouncer', json });
  },
});

const misspelt = (detail: string): Finding => ({
  check: 'configuration',
  state: 'failed',
  detail,
  fix: 'Correct its name, or remove it.',
});
