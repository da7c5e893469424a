import {
  argument,
  defineCommand,
  switchFlag,
  terminalLine,
  UserError,
} from '@bellhop/bot-cli/command-line';
import { CipherId } from '@bellhop/protocol';
import {
  type HopFacts,
  type HopLine,
  hopLines,
  joinHops,
  type JoinedTrace,
} from '@bellhop/push-trace';

import type { PhoneEntry } from '../phones/phone-store.ts';
import { phonesHere } from '../phones/phones-here.ts';
import { bouncerAccess, type BouncerFlags, bouncerFlags, silenceOf } from './bouncer-access.ts';

export const trace = defineCommand({
  description: `What every service on the way of a notification tells, by time: the chat server (why and when it was
pushed, its size), the bouncer and its link to the provider (attempts, connection, status, verdict), the
provider, and the phone (what it decrypted). A hash of the ciphertext, the first word, joins them: trace one
notification by it, or all of a simulated phone by the phone's name.

  bellhop trace pixel
  bellhop trace 5d0c3e6b3a2f91c4

It shows what it may read. The chat server shows its user their own pushes: those of the phones here. The
bouncer shows a chat server what it has sent (in the sandbox at once, else with --bouncer, --org-id and --org-key or
in the environment of the server), and its operator everything. A service that tells nothing is listed with the
reason. Server and bouncer keep traces for 3 days.

Environment:
  BELLHOP_BOUNCER_URL                      the address of the bouncer
  BELLHOP_BOUNCER_ORG_ID, ..._ORG_KEY      the login of the chat server there
  BELLHOP_BOUNCER_OPERATOR_TOKEN           (or ..._FILE) the token of the bouncer's operator, instead of a
                                           login; the address may be that of BELLHOP_BOUNCER_HOST and ..._PORT`,
  flags: { json: switchFlag('One line of JSON for each notification'), ...bouncerFlags },
  args: [
    {
      ...argument('id', 'A phone of "bellhop device list", or the ID of a notification'),
      proposeCompletions: async () =>
        (await (await phonesHere()).list().catch(() => [])).map(({ name }) => name),
    },
  ],
  async run({ json, ...flags }, id) {
    const store = await phonesHere();
    const phones = await store.list();
    const phone = phones.find(({ name }) => name === id);
    const traces = phone
      ? joinHops(await ofPhone(phone, flags))
      : await ofCipher(id, { phones, places: store.dataDirs }, flags);
    for (const one of traces) console.log(json ? JSON.stringify(one) : traceText(one));
    if (traces.length === 0 && !json) console.log(`Nothing was sent to ${id}.`);
  },
});

/** A bouncer installed alone has nothing that simulates phones. */
const ofPhone = async (phone: PhoneEntry, flags: BouncerFlags): Promise<HopFacts> =>
  (await import('./phone-facts.ts')).phoneFacts(phone, await bouncerAccess(flags, phone));

/** The traces of one notification, at the phone that it was for if it is one of these. */
async function ofCipher(
  id: string,
  {
    phones,
    places,
  }: { readonly phones: readonly PhoneEntry[]; readonly places: readonly string[] },
  flags: BouncerFlags,
): Promise<JoinedTrace[]> {
  const { data: cipherId } = CipherId.safeParse(id.trim().toLowerCase());
  if (cipherId === undefined)
    throw new UserError(
      `There is no phone ${id}, and the ID of a notification is 16 hexadecimal digits, such as 9f86d081884c7d65: the beginning of the SHA-256 of encrypted_data. "bellhop bouncer pushes list" lists the latest ones.`,
    );
  for (const phone of phones) {
    // The server or the simulator of a phone may be gone.
    const facts = await ofPhone(phone, flags).catch(() => undefined);
    const found = facts && joinHops(facts).filter(({ cipher_id }) => cipher_id === cipherId);
    if (found && found.length > 0) return found;
  }
  const read = await bouncerAccess(flags, undefined);
  const bouncer = (await read?.([cipherId]).catch(silenceOf('bouncer'))) ?? NO_BOUNCER;
  const server = 'no right: it tells the user whose phone it is';
  const none = `no phone in ${places.join(' or ')} shows it (BELLHOP_DATA_DIR, default .bellhop)`;
  const requests = `only the simulator of a phone here tells: ${none}`;
  const found = joinHops({ phone: null, server, bouncer, requests, arrivals: none });
  if (found.length > 0) return found;
  const why = typeof bouncer === 'string' ? bouncer : 'it did not get it, or more than 3 days ago';
  throw new UserError(
    `No phone here has got ${cipherId}, and the bouncer has no trace of it: ${why}.`,
  );
}

const NO_BOUNCER = 'which bouncer? Give --bouncer, --org-id and --org-key, or its environment';

function traceText(trace: JoinedTrace): string {
  const { cipher_id, phone, verdict, silent, notes } = trace;
  return [
    `${phone === null ? cipher_id : `${cipher_id}  ${phone}`}: ${verdict}`,
    ...hopLines(trace).map(lineText),
    ...Object.entries(silent).map(
      ([hop, reason]) => `${'-'.padEnd(12)}  ${hop.padEnd(8)}  ${reason}`,
    ),
    ...notes.map((note) => `note: ${note}`),
  ].join('\n  ');
}

/** `09:14:03.120  bouncer   text`. */
const lineText = ({ ms, hop, text }: HopLine): string =>
  `${new Date(ms).toISOString().slice(11, 23)}  ${hop.padEnd(8)}  ${terminalLine(text)}`;
