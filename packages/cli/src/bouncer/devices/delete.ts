import { deleteDevice } from '@bellhop/bouncer/operator';

import { defineCommand } from '../../command-line/command.ts';
import { databaseHelp, operateBouncer } from '../operate-bouncer.ts';
import { deviceArgument } from './device-argument.ts';

export const deleteOne = defineCommand({
  description: `Also deletes what became of its notifications, and those that wait for it. Its chat server learns of it with its next notification; the phone can register again.\n${databaseHelp}`,
  args: [deviceArgument],
  async run(_flags, deviceId) {
    await operateBouncer((operator) => deleteDevice(operator, deviceId));
    console.log(`The device ${deviceId} is deleted.`);
  },
});
