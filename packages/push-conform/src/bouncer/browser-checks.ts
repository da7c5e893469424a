import { isDeepStrictEqual } from 'node:util';

import { parseJson, stringifyJson } from '@bellhop/protocol';

import { registrationOf, sealed } from '../boxes.ts';
import { CannotCheck, type Check, type CheckGroup, Deviation, withDoubts } from '../check.ts';
import { requireError, requireSuccess, shown } from '../send.ts';
import type { BouncerPhone, BouncerTarget } from './bouncer-target.ts';

/** A registered browser. Throws `CannotCheck` if the bouncer takes none: the protocol leaves it open. */
async function browser(target: BouncerTarget): Promise<BouncerPhone> {
  const phone = await target.newPhone('webpush');
  const answer = await target.registerPhone(phone);
  if (answer.status === 400)
    throw new CannotCheck(`${shown(answer)}: the bouncer takes no browsers`);
  return { ...phone, id: target.idIn(answer, phone) };
}

const registers: Check<BouncerTarget> = {
  check: 'a browser registers, and repeats it',
  section: 'Browsers',
  async run(target) {
    const first = await browser(target);
    const second = target.idIn(await target.registerPhone(first), first);
    if (first.id !== second)
      throw new Deviation(`device_id ${first.id}, and ${second} for the same browser`);
    return `device_id ${second} both times`;
  },
};

const delivers: Check<BouncerTarget> = {
  check: 'a notification for a browser arrives as it was sent',
  section: 'Browsers',
  async run(target) {
    const phone = await browser(target);
    const headers = { ttl: 600, urgency: 'low', topic: 'conformance' };
    const item: Record<string, unknown> = { ...target.itemFor(phone), webpush_headers: headers };
    const { body } = requireSuccess(await target.notify([item]));
    const arrived = await target.arrival(phone);
    if (!isDeepStrictEqual(parseJson(arrived.body ?? ''), item['payload']))
      throw new Deviation(`${arrived.body} instead of ${stringifyJson(item['payload'])}`);
    const { ttl, urgency, topic } = arrived;
    if (!isDeepStrictEqual({ ttl, urgency, topic }, headers))
      throw new Deviation(`TTL ${ttl}, urgency ${urgency}, topic ${topic}`);
    const count = body['web_successfully_sent_count'];
    if (count !== 1) throw new Deviation(`web_successfully_sent_count is ${String(count)}, not 1`);
    return 'unchanged; TTL, urgency and topic reached the push service';
  },
};

const unsubscribed: Check<BouncerTarget> = {
  check: 'a browser that has unsubscribed is dead',
  section: 'Browsers',
  async run(target) {
    const [gone, alive] = [await browser(target), await browser(target)];
    await target.simulator.uninstall(gone.token);
    return withDoubts(async () => {
      requireSuccess(await target.notify([target.itemFor(alive)]));
      const { body } = requireSuccess(await target.notify([target.itemFor(gone)]));
      if (isDeepStrictEqual(body['delete_device_ids'], [gone.id]))
        return `delete_device_ids [${gone.id}]`;
      throw new Deviation(`delete_device_ids ${JSON.stringify(body['delete_device_ids'])}`);
    });
  },
};

type Change = (registration: ReturnType<typeof registrationOf>) => object;
const changes: Readonly<Record<string, Change>> = {
  'webpush without webpush_keys': ({ webpush_keys: _keys, ...rest }) => rest,
  'webpush with a p256dh of 64 bytes': (good) => ({
    ...good,
    webpush_keys: { ...good.webpush_keys, p256dh: 'A'.repeat(86) },
  }),
  'webpush with an endpoint without TLS': (good) => ({
    ...good,
    token: good.token.replace('https:', 'http:'),
  }),
  'webpush with ios_app_id': (good) => ({ ...good, ios_app_id: 'org.example.app' }),
};
const malformed = Object.entries(changes).map(([name, change]): Check<BouncerTarget> => ({
  check: `encrypted_push_registration: ${name}`,
  section: 'Browsers',
  async run(target) {
    const phone = await browser(target);
    const box = sealed(change(registrationOf(phone)), target.bouncerPublicKey);
    const answer = await target.registerPhone(phone, { encrypted_push_registration: box });
    return requireError(answer, 400, 'BAD_REQUEST');
  },
}));

/** Checks of browsers. A bouncer may refuse all browsers; one that takes them follows the page. */
export const browserChecks: CheckGroup<BouncerTarget> = {
  group: 'browsers',
  checks: [registers, delivers, unsubscribed, ...malformed],
};
