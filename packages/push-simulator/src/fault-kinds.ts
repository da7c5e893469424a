import { apnsExplanations } from './apns-explanations.ts';
import { type ApnsReason, apnsReasons } from './apns-reasons.ts';
import { Fault, type FaultProvider, namedFaults } from './faults.ts';
import { fcmErrorCodes } from './fcm-errors.ts';
import { webPushErrors } from './webpush-errors.ts';

/**
 * The subject of a fault: a provider that is busy, the phone, the credentials of the sender, the request,
 * any other answer, the connection, or time.
 */
export type FaultGroup =
  | 'busy'
  | 'phone'
  | 'credentials'
  | 'request'
  | 'answer'
  | 'connection'
  | 'time';

/** One kind of fault, for people and programs that choose one. */
export interface FaultKind {
  readonly kind: string;
  readonly group: FaultGroup;
  /** The providers that can show it. */
  readonly providers: readonly FaultProvider[];
  /** The parameters of this kind of fault. */
  readonly parameters: readonly (keyof FaultParameters)[];
  readonly explanation: string;
}

/** Details of a fault, as the shell and scenarios give them. */
export interface FaultParameters {
  /** The reason in the answer, or in the data of a GOAWAY frame. */
  readonly reason?: string;
  /** Seconds, or an HTTP date. */
  readonly retry_after?: number | string;
  /** The delay of the answer, in milliseconds. */
  readonly ms?: number;
  /** Unix time in milliseconds, as in Apple's 410 answers. */
  readonly timestamp?: number;
}

const everywhere: readonly FaultProvider[] = ['apns', 'fcm', 'oauth', 'webpush'];
/** The errors of Google's token endpoint, with HTTP status and explanation. */
const oauthErrors = {
  invalid_grant: [400, 'The assertion is expired, or its signature or account is wrong'],
  invalid_client: [401, 'The service account is unknown'],
  unauthorized_client: [401, 'The service account may not do this'],
  internal_failure: [500, 'Google failed: try again later'],
  temporarily_unavailable: [503, 'The token endpoint is not available: try again later'],
} as const;

const parametersOf: Partial<Record<keyof typeof namedFaults, FaultKind['parameters']>> = {
  goaway: ['reason'],
  slow: ['ms'],
};

const groupOfNamed: Readonly<Record<keyof typeof namedFaults, FaultGroup>> = {
  goaway: 'connection',
  goaway_after_answer: 'connection',
  refuse_stream: 'connection',
  reset: 'connection',
  disconnect: 'connection',
  silent: 'time',
  freeze: 'time',
  lost_answer: 'connection',
  slow: 'time',
  html_401: 'answer',
};
/** Refusals whose HTTP status names another subject than their reason. */
const groupOfReason: Readonly<Record<string, FaultGroup>> = {
  BadDeviceToken: 'phone',
  DeviceTokenNotForTopic: 'phone',
  SENDER_ID_MISMATCH: 'phone',
  BadPath: 'request',
  IdleTimeout: 'connection',
  Shutdown: 'connection',
  TopicDisallowed: 'credentials',
  TooManyProviderTokenUpdates: 'credentials',
  invalid_grant: 'credentials',
};

/** Every kind of fault: of the connection, and every refusal of each provider. */
export const faultKinds: readonly FaultKind[] = [
  ...Object.entries(namedFaults).map(([kind, explanation]) => ({
    kind,
    group: groupOfNamed[kind as keyof typeof namedFaults],
    providers: everywhere,
    parameters: parametersOf[kind as keyof typeof namedFaults] ?? [],
    explanation,
  })),
  ...Object.entries(apnsReasons).map(([kind, status]) =>
    refusal('apns', kind, status, apnsExplanations[kind as ApnsReason]),
  ),
  ...Object.entries(fcmErrorCodes).map(([kind, [status, , , explanation]]) =>
    refusal('fcm', kind, status, explanation),
  ),
  ...Object.entries(oauthErrors).map(([kind, [status, explanation]]) =>
    refusal('oauth', kind, status, explanation),
  ),
  ...Object.entries(webPushErrors).map(([kind, [status, explanation]]) =>
    refusal('webpush', kind, status, explanation),
  ),
  {
    kind: '400-599',
    group: 'answer',
    providers: everywhere,
    parameters: ['reason', 'retry_after', 'timestamp'],
    explanation: 'An answer with this HTTP status and any reason, in the form of the provider',
  },
];

function refusal(
  provider: FaultProvider,
  kind: string,
  status: number,
  explanation: string,
): FaultKind {
  return {
    kind,
    group: groupOfReason[kind] ?? groupOfStatus(status),
    providers: [provider],
    parameters: status === 410 ? ['retry_after', 'timestamp'] : ['retry_after'],
    explanation: `${status}: ${explanation}`,
  };
}

function groupOfStatus(status: number): FaultGroup {
  if (status === 401 || status === 403) return 'credentials';
  if (status === 404 || status === 410) return 'phone';
  return status === 429 || status >= 500 ? 'busy' : 'request';
}

/** A kind that the provider cannot show, or a parameter that the kind does not have. */
export class UnknownFault extends Error {
  override readonly name = 'UnknownFault';
}

/** The fault of a kind. Throws `UnknownFault`, or a ZodError for a value out of range. */
export function faultOf(
  provider: FaultProvider,
  kind: string,
  parameters: FaultParameters = {},
): Fault {
  const isStatus = /^[45]\d\d$/.test(kind);
  const known = faultKinds.find(
    (one) => one.kind === (isStatus ? '400-599' : kind) && one.providers.includes(provider),
  );
  if (known === undefined) throw new UnknownFault(`${provider} has no fault ${kind}`);
  for (const name of Object.keys(parameters) as (keyof FaultParameters)[])
    if (!known.parameters.includes(name))
      throw new UnknownFault(`The fault ${kind} has no parameter ${name}`);
  return Fault.parse(build(provider, kind, parameters));
}

function build(provider: FaultProvider, kind: string, parameters: FaultParameters): unknown {
  const { reason, ms, ...rest } = parameters;
  if (kind === 'goaway') return reason === undefined ? kind : { goaway_reason: reason };
  if (kind === 'slow') return ms === undefined ? kind : { slow_ms: ms };
  if (Object.hasOwn(namedFaults, kind)) return kind;
  const status = Number(kind);
  if (status > 0) return { status, reason: reason ?? `status_${kind}`, ...rest };
  return { status: statusOf[provider](kind), reason: kind, ...rest };
}

const statusOf: Readonly<Record<FaultProvider, (kind: string) => number | undefined>> = {
  apns: (kind) => apnsReasons[kind as keyof typeof apnsReasons],
  fcm: (kind) => fcmErrorCodes[kind as keyof typeof fcmErrorCodes][0],
  oauth: (kind) => oauthErrors[kind as keyof typeof oauthErrors][0],
  webpush: (kind) => webPushErrors[kind as keyof typeof webPushErrors][0],
};
