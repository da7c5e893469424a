import { queuedPushes, replayPushes } from '@bellhop/bouncer/operator';
import { TokenKind } from '@bellhop/protocol';

import { defineCommand } from '../command-line/command.ts';
import { choiceFlag, switchFlag, valueFlag } from '../command-line/flags.ts';
import { parseNumber, parseUuid } from '../command-line/parse-flag.ts';
import { printRows } from '../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from './operate-bouncer.ts';
import { parseDeviceId } from './parse-device-id.ts';

const uuid = (brief: string) => valueFlag(brief, 'id', parseUuid);

export const replay = defineCommand({
  description: `Sends notifications that were given up or refused once more, after a fault was repaired; with --state waiting, those that wait for their next attempt are sent at once. Chat servers are not told of the result again. Old news may annoy people: list them first.

  bellhop bouncer replay --dry-run
  bellhop bouncer replay --provider apns --limit 10
  bellhop bouncer replay --state waiting --dry-run

${databaseHelp}`,
  flags: {
    dryRun: switchFlag('List them, and send nothing'),
    state: choiceFlag(
      'Those given up or refused, or those that wait',
      ['ended', 'waiting'],
      'ended',
    ),
    provider: choiceFlag('Only those for phones of this provider', TokenKind.options),
    server: uuid('Only those of the chat server with this ID'),
    realm: uuid('Only those of the realm with this ID'),
    device: valueFlag('Only those for the device with this ID', 'id', parseDeviceId),
    limit: valueFlag('At most so many, the oldest first', 'number', parseNumber, '1000'),
    seconds: valueFlag(
      'Give them up after so many seconds from now',
      'number',
      parseNumber,
      '3600',
    ),
    ...jsonFlag,
  },
  async run({ dryRun, json, seconds, server, realm, device, ...flags }) {
    const filter = { ...flags, serverUuid: server, realmUuid: realm, deviceId: device };
    if (dryRun) {
      const pushes = await operateBouncer(({ database }) => queuedPushes(database.kysely, filter));
      printRows(pushes, { json });
      if (!json) console.log(`Notifications: ${pushes.length}. Nothing was sent.`);
      return;
    }
    const count = await operateBouncer((operator) => replayPushes(operator, filter, seconds));
    console.log(
      json ? JSON.stringify({ count }) : `Notifications that the bouncer sends now: ${count}.`,
    );
  },
});
