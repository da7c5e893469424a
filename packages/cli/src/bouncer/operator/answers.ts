import type { AskOf, BouncerOperator, Endpoint, ResultOf } from '@bellhop/protocol';

type Resources = Omit<BouncerOperator, 'session'>;
/** Lines, or an answer to print in the place of the one from the bouncer. */
type Told = string | readonly string[] | object;
type Tell<E> = E extends Endpoint ? (answer: ResultOf<E>, params: AskOf<E>) => Told : never;
type Answers = {
  readonly [R in keyof Resources]?: {
    readonly [N in keyof Resources[R]]?: Tell<Resources[R][N]>;
  };
};

/** Of each operation that has one, what a person is told; of others, and with `--json`, the answer itself. */
export const answers: Answers = {
  servers: {
    show: ({ server, realms, quotas, audit }) => ({
      server,
      realms,
      quotas: quotas.map(({ quota, value, limit, used }) => ({
        quota,
        limit: limit ?? 'unlimited',
        set_to: value,
        used,
      })),
      audit_entries: audit,
    }),
    setActive({ hostname, changed }, { active }) {
      const state = active ? 'active' : 'deactivated';
      return changed ? `${hostname} is now ${state}.` : `${hostname} was ${state} already.`;
    },
    setQuotas: ({ hostname, quotas }) =>
      quotas.map(
        ({ quota, value, limit }) =>
          `${quota} of ${hostname} is now ${limit ?? 'unlimited'}${value === 'default' ? ', the default' : ''}.`,
      ),
    delete: ({ hostname }) =>
      `${hostname} was deleted, with its realms, their devices and all data.`,
    deleteRealm: (_, { server, realm_uuid }) =>
      `The realm ${realm_uuid} of ${server} was deleted, with its devices and all data.`,
  },
  devices: {
    delete: (_, { device_id }) => `The device ${device_id} was deleted with all data about it.`,
  },
  keys: {
    create: ({ public_key }) => [
      'A key pair was made. Ship its public key with the apps:',
      public_key,
    ],
    retire: ({ kept_in }, { public_key }) =>
      kept_in === 'nowhere'
        ? `The private key of ${public_key} was deleted: phones can no longer register with it.`
        : `Phones can no longer register with ${public_key}. Its private key is still in BELLHOP_BOUNCER_KEYS of the bouncer, or in the file of that variable: take it out there.`,
  },
  queue: {
    replay: ({ count }, { state }) =>
      count === 0
        ? `Nothing is sent: no notification that ${state === 'ended' ? 'was given up or refused' : 'waits'} fits.`
        : `${count === 1 ? '1 notification is' : `${count} notifications are`} sent now. "bellhop bouncer pushes list" shows what becomes of ${count === 1 ? 'it' : 'them'}.`,
  },
  outcomes: {
    list: ({ times, series }) =>
      series.length === 0
        ? `No notifications since ${minuteOf(times[0])} UTC.`
        : {
            notifications: times.map((from_ms, at) => ({
              from_ms,
              ...Object.fromEntries(series.map(({ label, values }) => [label, values[at]])),
            })),
          },
  },
  pushes: {
    list: ({ pushes }) => ({
      notifications: pushes.map(({ at_ms, cipher_id, provider, ...push }) => ({
        at_ms,
        cipher_id,
        provider,
        device_id: push.device_id ?? push.token_id,
        outcome: push.outcome,
        attempts: push.stages
          .flatMap(({ attempts }) => attempts)
          .map(({ status, verdict }) => `${status ?? 'no answer'} ${verdict}`)
          .join(', '),
        explanation: push.explanation,
      })),
    }),
  },
  access: {
    ban: ({ hostnames }, { subject }) =>
      hostnames.length === 0
        ? `${subject} is banned. No chat server that is registered, and was not banned before, is affected.`
        : `${subject} is banned, and with it the registered chat server${hostnames.length === 1 ? '' : 's'} ${hostnames.join(', ')}.`,
    unban: (_, { subject }) => `${subject} is no longer banned.`,
    // The last line can be appended to the environment of the chat server, or all of them.
    invite: ({ number, token, expires_ms }, { server_uuid }) => [
      `# Invitation ${number}: ${server_uuid === undefined ? 'a chat server may register with it' : `the chat server ${server_uuid} may register, without a token`}, once, until ${minuteOf(expires_ms)} UTC.`,
      `# "bellhop bouncer access revoke ${number}" takes it back.`,
      ...(token === null ? [] : [`BELLHOP_BOUNCER_REGISTRATION_TOKEN=${token}`]),
    ],
    revoke: (_, { number }) => `Nobody can register with invitation ${number} any more.`,
  },
};

const minuteOf = (ms = 0) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
