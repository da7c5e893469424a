import { queuedPushes, type QueueState, replayPushes } from '@bellhop/bouncer/operator';
import { TokenKind } from '@bellhop/protocol';

import { defineCommand } from '../command-line/command.ts';
import { parseNumber, parseUuid } from '../command-line/parse-flag.ts';
import { printRows } from '../command-line/print-rows.ts';
import { databaseHelp, jsonFlag, operateBouncer } from './operate-bouncer.ts';
import { parseDeviceId } from './parse-device-id.ts';

interface Flags {
  readonly dryRun: boolean;
  readonly state: QueueState;
  readonly provider?: TokenKind;
  readonly server?: string;
  readonly realm?: string;
  readonly device?: number;
  readonly limit: number;
  readonly seconds: number;
  readonly json: boolean;
}

const uuid = (brief: string) =>
  ({ kind: 'parsed', parse: parseUuid, brief, placeholder: 'id', optional: true }) as const;

export const replay = defineCommand<Flags>({
  description: `Sends notifications that were given up or refused once more, after a fault was repaired; with --state waiting, those that wait for their next attempt are sent at once. Chat servers are not told of the result again. Old news may annoy people: list them first.

  bellhop bouncer replay --dry-run
  bellhop bouncer replay --provider apns --limit 10
  bellhop bouncer replay --state waiting --dry-run

${databaseHelp}`,
  parameters: {
    flags: {
      dryRun: { kind: 'boolean', brief: 'List them, and send nothing', default: false },
      state: {
        kind: 'enum',
        values: ['ended', 'waiting'],
        brief: 'Those given up or refused, or those that wait',
        default: 'ended',
      },
      provider: {
        kind: 'enum',
        values: TokenKind.options,
        brief: 'Only those for phones of this provider',
        optional: true,
      },
      server: uuid('Only those of the chat server with this ID'),
      realm: uuid('Only those of the realm with this ID'),
      device: {
        kind: 'parsed',
        parse: parseDeviceId,
        brief: 'Only those for the device with this ID',
        placeholder: 'id',
        optional: true,
      },
      limit: {
        kind: 'parsed',
        parse: parseNumber,
        brief: 'At most so many, the oldest first',
        placeholder: 'number',
        default: '1000',
      },
      seconds: {
        kind: 'parsed',
        parse: parseNumber,
        brief: 'Give them up after so many seconds from now',
        placeholder: 'number',
        default: '3600',
      },
      ...jsonFlag,
    },
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
