import {
  argument,
  choiceFlag,
  defineCommand,
  type FlagValues,
  parseHttpUrl,
  requiredFlag,
  switchFlag,
  textFlag,
  UserError,
} from '@bellhop/bot-cli/command-line';
import { PushGeneration } from '@bellhop/protocol';
import { type BouncerOptions, conformBouncer } from '@bellhop/push-conform';

import { requireSimulator, simulatorFlags } from '../simulator/control-client.ts';
import { adviseStart } from './cannot-start.ts';
import { parseBouncerKey } from './parse-bouncer-key.ts';
import { conformPrinter, reportFindings } from './print-findings.ts';

const flags = {
  generation: choiceFlag(
    'Only phones of this form of encrypted push: account of levels 406 to 467, device of level 468 and later',
    PushGeneration.options,
  ),
  bouncerKey: requiredFlag(
    'A public key of the bouncer, which apps have built in',
    'base64',
    parseBouncerKey,
  ),
  orgId: textFlag('The ID of a chat server that may register; a new one if left out', 'UUID'),
  orgKey: textFlag('Its key (or BELLHOP_BOUNCER_ORG_KEY)', 'key'),
  registrationToken: textFlag('The token that the bouncer wants of new servers', 'token'),
  ...simulatorFlags,
  json: switchFlag('Print the findings as JSON'),
};
type Flags = FlagValues<typeof flags>;

export const conformBouncerCommand = defineCommand({
  description: `Plays a chat server and its phones against a bouncer of the protocol: logins, registrations with every
malformed box, notifications, bad items, dead devices, outages, repeated requests. It plays chat servers of
both generations that the bouncer has: they name a phone by push_account_id or by token_id. Prints what the
bouncer did with each, and the section of docs/push/protocol.md that a fault breaks. The exit code is 1
if there are faults.

The bouncer must send to a simulator ("bellhop simulator") and let a new chat server register, or the one
that --org-id and --org-key name. Use a bouncer for tests: the server and its realms stay registered.`,
  flags,
  args: [argument('url', 'The address of the bouncer', parseHttpUrl)],
  async run({ json, generation, ...flags }, url) {
    const findings = await conformBouncer(url, {
      ...(await optionsFrom(flags)),
      ...(generation ? { generation } : {}),
      ...(json ? {} : { onFinding: conformPrinter() }),
    }).catch(
      adviseStart({
        service: 'Is this its address, and does it run?',
        org:
          'Give --org-id and --org-key of a chat server that the bouncer knows (in the sandbox those of ' +
          'state.json), or --registration-token.',
      }),
    );
    return reportFindings(findings, json);
  },
});

async function optionsFrom(flags: Omit<Flags, 'json' | 'generation'>): Promise<BouncerOptions> {
  const { bouncerKey: bouncerPublicKey, orgId, registrationToken } = flags;
  const orgKey = flags.orgKey ?? process.env['BELLHOP_BOUNCER_ORG_KEY'];
  if (orgId !== undefined && !orgKey) throw new UserError('With --org-id give also --org-key.');
  return {
    bouncerPublicKey,
    simulator: await requireSimulator(flags),
    ...(orgId !== undefined && orgKey ? { org: [orgId, orgKey] } : {}),
    ...(registrationToken === undefined ? {} : { registrationToken }),
  };
}
