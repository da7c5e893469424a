import { sendTest as sendTestTo } from '@bellhop/bouncer/operator';

import { defineCommand } from '../command-line/command.ts';
import { argument } from '../command-line/flags.ts';
import { databaseHelp, operateBouncer } from './operate-bouncer.ts';
import { parseDeviceId } from './parse-device-id.ts';
import { readBouncerConfig } from './read-bouncer-config.ts';

export const sendTest = defineCommand({
  description: `Run it with the environment of the bouncer. Its own connection is used, not that of a running bouncer. An iPhone shows "Test notification of the push bouncer"; an Android app gets data that it cannot decrypt. Whatever the answer, the device stays registered. Exit code: 0 if the provider accepted it, else 1.\n${databaseHelp}`,
  args: [argument('device', 'ID of the device at the bouncer', parseDeviceId)],
  async run(_flags, deviceId) {
    const config = readBouncerConfig();
    const { isAccepted, lines } = await operateBouncer((operator) =>
      sendTestTo(operator, config, deviceId),
    );
    for (const line of lines) console.log(line);
    return isAccepted ? 0 : 1;
  },
});
