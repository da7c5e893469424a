import { createApns } from './apns.ts';
import { Clock } from './clock.ts';
import { type ControlServer, startControlServer } from './control-server.ts';
import { type Device, Devices, type NewDevice, type Uninstall } from './devices.ts';
import { FaultBoard } from './faults.ts';
import { createFcm } from './fcm.ts';
import { newApnsPrivateKey, newAppleId, openIdentity } from './identity.ts';
import { Journal, type JournalEvent } from './journal.ts';
import type { Notification } from './notification.ts';
import { OAuth, type ServiceAccount } from './oauth.ts';
import { startProviderServer } from './provider-server.ts';
import { type ApnsKey, ApnsKeys } from './provider-token.ts';
import { RateWindow } from './rate-window.ts';
import { ScenarioPlayer } from './scenario-player.ts';
import type { VapidKey } from './vapid.ts';
import { createWebPush } from './webpush.ts';

export { bouncerEnvironment } from './bouncer-environment.ts';
export { createTlsIdentity, type TlsIdentity } from './certificates.ts';
export { type CredentialFiles, writeCredentialFiles } from './credential-files.ts';
export { UnknownDevice, webPushKeysOf } from './devices.ts';
export type { Device, Devices, NewDevice, Uninstall } from './devices.ts';
export {
  type FaultKind,
  faultKinds,
  faultOf,
  type FaultParameters,
  UnknownFault,
} from './fault-kinds.ts';
export { type Fault, type FaultBoard, type FaultProvider, FaultRule } from './faults.ts';
export type { Journal, JournalEvent, RequestEntry } from './journal.ts';
export { appDataOf } from './notification.ts';
export type {
  AppData,
  ApnsNotification,
  FcmNotification,
  Notification,
  WebPushNotification,
} from './notification.ts';
export type { ServiceAccount } from './oauth.ts';
export type { ApnsKey } from './provider-token.ts';
export type { VapidKey } from './vapid.ts';
export { BadScenario, parseScenario, type Scenario } from './scenario.ts';
export type { ScenarioPlayer, ScenarioStatus } from './scenario-player.ts';
export type { WebPushKeys } from '@bellhop/push-crypto/web-push';
export type { SimulatedProviders } from './bouncer-environment.ts';
export type { Clock } from './clock.ts';
export type { DevicesOptions } from './devices.ts';
export type { FaultGroup } from './fault-kinds.ts';
export type { AcceptedNotification } from './notification.ts';
export type { ScenarioTarget } from './scenario-player.ts';

export interface PushSimulatorOptions {
  /** Ports; 0 or absent = any free one. */
  fcm_port?: number;
  apns_port?: number;
  apns_sandbox_port?: number;
  webpush_port?: number;
  control_port?: number;
  /** Where to listen, 127.0.0.1 by default. The certificate is for localhost and 127.0.0.1. */
  host?: string;
  /** The directory that keeps certificates, credentials and devices; without it they are new each time. */
  state_dir?: string;
  /** The bundle ids that Apple's signing key may send to. The first is the default app of devices. */
  topics?: readonly string[];
  /** Requests per minute above which providers answer 429; no limit by default. */
  limits?: { apns_device?: number; fcm_device?: number; fcm_project?: number };
  /** Unix time in milliseconds. */
  now?: () => number;
  /** Called with each event of the journal. */
  log?: (event: JournalEvent) => void;
}

/** Simulated APNs, FCM and Web Push, their phones, browsers and faults. Close with `stop`. */
export interface PushSimulator {
  readonly fcm_url: string;
  /** Apple's production service. */
  readonly apns_url: string;
  /** Apple's sandbox service, with devices of its own and `apns-unique-id` in the answers. */
  readonly apns_sandbox_url: string;
  /** The push service of simulated browsers. */
  readonly webpush_url: string;
  readonly control_url: string;
  /** The bearer token of the control API. */
  readonly control_token: string;
  /** PEM of the certificate authority to trust for the provider addresses. */
  readonly ca: string;
  /** The credentials of a bouncer; `fcm` is a service account's key file. */
  readonly credentials: {
    readonly apns: ApnsKey;
    readonly fcm: ServiceAccount;
    readonly webpush: VapidKey;
  };
  readonly devices: Devices;
  readonly faults: FaultBoard;
  readonly journal: Journal;
  readonly scenarios: ScenarioPlayer;
  addDevice(device: NewDevice): Device;
  uninstall(token: string, options?: Uninstall): void;
  /** Takes a phone online and calls back with its notifications. Returns a function that takes it offline. */
  connect(token: string, onNotification: (notification: Notification) => void): () => void;
  /** Registers another signing key of the team, to test the rejection of wrong keys. */
  addApnsKey(key?: Partial<Pick<ApnsKey, 'topics' | 'environment'>>): Promise<ApnsKey>;
  stop(): Promise<void>;
}

/** Starts the simulator. Rejects if a port is taken, and closes the other ports. */
export async function startSimulator(options: PushSimulatorOptions = {}): Promise<PushSimulator> {
  const { host = '127.0.0.1', topics = ['org.bellhop.phone'], limits } = options;
  const clock = new Clock(options.now ?? Date.now);
  const { now } = clock;
  const identity = await openIdentity(options.state_dir);
  const journal = new Journal();
  if (options.log !== undefined) journal.listen(options.log);
  const faults = new FaultBoard(journal);
  const devices = new Devices({
    now,
    journal,
    stateDir: options.state_dir,
    defaults: {
      app_id: topics[0] ?? '',
      project_id: identity.fcm.project_id,
      push_service: () => webpushUrl,
      application_server_key: identity.vapid.public_key,
    },
  });
  const scenarios = new ScenarioPlayer({ devices, faults, journal, clock });
  const apnsKey: ApnsKey = { ...identity.apns, topics, environment: null };
  const keys = new ApnsKeys(now);
  keys.add(apnsKey);

  let webpushUrl = '';
  const running: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()));
  };
  const shared = { tls: identity.tls, host, faults, journal, now };
  const startApns = async (environment: 'production' | 'sandbox', port = 0) => {
    const perDevice = new RateWindow(limits?.apns_device, now);
    const provider = createApns({ environment, keys, devices, perDevice, now });
    const server = await startProviderServer({ ...shared, provider, port, http1: false });
    running.push(server);
    return urlOf('https', host, server.port);
  };
  const startFcm = async (account: () => ServiceAccount, port = 0) => {
    const provider = createFcm({
      project_id: identity.fcm.project_id,
      oauth: new OAuth(account, now),
      devices,
      perDevice: new RateWindow(limits?.fcm_device, now),
      perProject: new RateWindow(limits?.fcm_project, now),
      now,
    });
    const server = await startProviderServer({ ...shared, provider, port, http1: true });
    running.push(server);
    return urlOf('https', host, server.port);
  };

  const startWebPush = async (port = 0) => {
    const provider = createWebPush({ origin: () => webpushUrl, devices, now });
    const server = await startProviderServer({ ...shared, provider, port, http1: true });
    running.push(server);
    return urlOf('https', host, server.port);
  };

  try {
    const apnsUrl = await startApns('production', options.apns_port);
    const apnsSandboxUrl = await startApns('sandbox', options.apns_sandbox_port);
    const fcmUrl = await startFcm(() => account, options.fcm_port);
    webpushUrl = await startWebPush(options.webpush_port);
    const account: ServiceAccount = {
      type: 'service_account',
      ...identity.fcm,
      token_uri: `${fcmUrl}/token`,
    };
    const addresses = {
      fcm_url: fcmUrl,
      apns_url: apnsUrl,
      apns_sandbox_url: apnsSandboxUrl,
      webpush_url: webpushUrl,
      ca: identity.tls.ca,
    };
    const control: ControlServer = await startControlServer({
      host,
      port: options.control_port ?? 0,
      token: identity.control_token,
      addresses,
      devices,
      faults,
      journal,
      scenarios,
      clock,
    });
    running.push({
      async stop() {
        scenarios.stop();
        await control.stop();
      },
    });
    return {
      ...addresses,
      control_url: urlOf('http', host, control.port),
      control_token: identity.control_token,
      credentials: { apns: apnsKey, fcm: account, webpush: identity.vapid },
      devices,
      faults,
      journal,
      scenarios,
      addDevice: (device) => devices.add(device),
      uninstall: (token, how) => devices.uninstall(token, how),
      connect(token, onNotification) {
        const end = devices.listen(token, onNotification);
        devices.setOnline(token, true);
        return () => {
          end();
          devices.setOnline(token, false);
        };
      },
      async addApnsKey(key = {}) {
        const added: ApnsKey = {
          team_id: identity.apns.team_id,
          key_id: newAppleId(),
          private_key: await newApnsPrivateKey(),
          topics: key.topics ?? topics,
          environment: key.environment ?? null,
        };
        keys.add(added);
        return added;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function urlOf(scheme: 'http' | 'https', host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
