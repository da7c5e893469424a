import { TokenKind } from '@bellhop/protocol/bouncer';
import type { Logger } from 'pino';

import { byTokenKind } from './by-token-kind.ts';
import type { ConnectionContext, WayOut } from './connect-provider.ts';
import { providers } from './providers.ts';
import { type SenderConfig, type SenderConfigs, senderFor } from './sender-config.ts';
import { connectSender, type Gateway, type Sender } from './sender.ts';

type SendersByKind = { readonly [K in TokenKind]: readonly Sender<K>[] };

interface SendersContext extends Omit<ConnectionContext, 'ca' | 'proxies'> {
  readonly log: Pick<Logger, 'error' | 'warn'>;
}

interface SendersConfig extends WayOut {
  readonly senders: SenderConfigs;
}

/** A sender's connections close when its last notifications have had time to end. */
const CLOSE_AFTER_MS = 30_000;

/** The senders of the configuration: find the one of a phone, replace them all at a reload. */
export class Senders {
  readonly #context: SendersContext;
  #byKind: SendersByKind = byTokenKind<SendersByKind>(() => []);
  #configs: SenderConfigs = byTokenKind<SenderConfigs>(() => []);
  /** The fingerprint of those in use. */
  #proxies: string | undefined;
  readonly #closing = new Map<NodeJS.Timeout, Gateway>();

  constructor(context: SendersContext) {
    this.#context = context;
  }

  /**
   * Connects the senders of a configuration. Unchanged credentials keep their connections and tokens;
   * connections that are no longer needed close when the notifications under way have ended. Throws if
   * a key cannot be used; then nothing changes.
   */
  use({ senders, providerCa: ca, proxies }: SendersConfig): void {
    const configs = byTokenKind<SenderConfigs>((kind) => this.#usable(kind, senders));
    const former = this.gateways();
    const isSameWay = proxies.fingerprint === this.#proxies;
    const connect = <K extends TokenKind>(kind: K): readonly Sender<K>[] => {
      const known: readonly Gateway<K>[] = this.#of(kind).flatMap(({ gateways }) => gateways);
      const reusable = isSameWay ? known : [];
      const own: SenderConfigs[K] = configs[kind];
      return own.map((config) =>
        connectSender<K>(kind, config, { ...this.#context, ca, proxies, reusable }),
      );
    };
    this.#configs = configs;
    this.#proxies = proxies.fingerprint;
    this.#byKind = byTokenKind<SendersByKind>(
      (kind) => connect(kind) as SendersByKind[typeof kind],
    );
    const used = new Set(this.gateways().map(({ connection }) => connection));
    for (const gateway of former.filter(({ connection }) => !used.has(connection)))
      this.#closeLater(gateway);
    for (const kind of TokenKind.options.filter((one) => this.#of(one).length === 0)) {
      const { title, settings } = providers[kind];
      this.#context.log.warn(
        `${title} is not configured: its phones get nothing; set ${settings.credential}`,
      );
    }
  }

  isConfigured(kind: TokenKind): boolean {
    return this.#of(kind).length > 0;
  }

  /** The sender for phones of an app; null stands for registrations without an app. */
  find<K extends TokenKind>(kind: K, app: string | null): Sender<K> | undefined {
    const senders: readonly Sender<K>[] = this.#of(kind);
    return senderFor(senders, app);
  }

  all(): readonly Sender[] {
    return TokenKind.options.flatMap((kind): readonly Sender[] => this.#of(kind));
  }

  gateways(): readonly Gateway[] {
    return this.all().flatMap(({ gateways }) => gateways);
  }

  close(): void {
    for (const [timer, { connection }] of this.#closing) {
      clearTimeout(timer);
      connection.close();
    }
    for (const { connection } of this.gateways()) connection.close();
  }

  /** A sender whose new credentials cannot be used keeps those that it has. */
  #usable<K extends TokenKind>(kind: K, asked: SenderConfigs): SenderConfigs[K] {
    const own: readonly SenderConfig<K>[] = asked[kind];
    const formerly: readonly SenderConfig<K>[] = this.#configs[kind];
    const usable = own.map((sender) => ({
      ...sender,
      environments: sender.environments.map((environment) => {
        if (!('fault' in environment)) return environment;
        const former = formerly
          .find(({ name }) => name === sender.name)
          ?.environments.find((one) => one.environment === environment.environment);
        if (!former || 'fault' in former) return environment;
        const about = { provider: kind, sender: sender.name, reason: environment.fault };
        this.#context.log.error(
          about,
          'the sender keeps its credentials: the new ones have a fault',
        );
        return former;
      }),
    }));
    return usable as SenderConfigs[K];
  }

  #of<K extends TokenKind>(kind: K): SendersByKind[K] {
    return this.#byKind[kind];
  }

  #closeLater(gateway: Gateway): void {
    const timer = setTimeout(() => {
      this.#closing.delete(timer);
      gateway.connection.close();
    }, CLOSE_AFTER_MS);
    this.#closing.set(timer, gateway);
  }
}
