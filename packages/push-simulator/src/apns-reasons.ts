/** Every reason Apple documents, with its HTTP status. */
export const apnsReasons = {
  BadCollapseId: 400,
  BadDeviceToken: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  BadTopic: 400,
  DeviceTokenNotForTopic: 400,
  DuplicateHeaders: 400,
  IdleTimeout: 400,
  InvalidPushType: 400,
  MissingDeviceToken: 400,
  MissingTopic: 400,
  PayloadEmpty: 400,
  TopicDisallowed: 400,
  BadCertificate: 403,
  BadCertificateEnvironment: 403,
  BadEnvironmentKeyIdInToken: 403,
  ExpiredProviderToken: 403,
  Forbidden: 403,
  InvalidProviderToken: 403,
  MissingProviderToken: 403,
  UnrelatedKeyIdInToken: 403,
  BadPath: 404,
  MethodNotAllowed: 405,
  ExpiredToken: 410,
  Unregistered: 410,
  PayloadTooLarge: 413,
  TooManyProviderTokenUpdates: 429,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
  Shutdown: 503,
} as const;

export type ApnsReason = keyof typeof apnsReasons;

/** Why Apple rejects a request. `timestamp` (Unix time in milliseconds): when the token became invalid. */
export class ApnsRefusal extends Error {
  override readonly name = 'ApnsRefusal';
  readonly reason: ApnsReason;
  readonly timestamp: number | undefined;

  constructor(reason: ApnsReason, timestamp?: number) {
    super(reason);
    this.reason = reason;
    this.timestamp = timestamp;
  }
}
