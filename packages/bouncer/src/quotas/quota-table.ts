/** How often something may happen in a period, counted for all nodes together. */
interface Rate {
  readonly default: number;
  readonly seconds: number;
  readonly of: string;
}
/** How many objects may be stored. */
interface Stock {
  readonly default: number;
}

const MINUTE = 60;
const DAY = 86_400;

/** Quotas that renew themselves. */
export const rates = {
  requests_per_minute: { default: 1_000, seconds: MINUTE, of: 'requests of the chat server' },
  registrations_per_minute: {
    default: 6_000,
    seconds: MINUTE,
    of: 'registrations of devices by the chat server',
  },
  notifications_per_minute: {
    default: 600_000,
    seconds: MINUTE,
    of: 'notifications of the chat server',
  },
  notifications_per_day: {
    default: 50_000_000,
    seconds: DAY,
    of: 'notifications of the chat server',
  },
  realm_notifications_per_minute: {
    default: 600_000,
    seconds: MINUTE,
    of: 'notifications of the realm',
  },
  realm_notifications_per_day: {
    default: 50_000_000,
    seconds: DAY,
    of: 'notifications of the realm',
  },
  /** The limit of FCM. */
  device_notifications_per_minute: {
    default: 240,
    seconds: MINUTE,
    of: 'notifications to the device',
  },
} as const satisfies Record<string, Rate>;

/** Quotas of realms, and of devices that are not dead. */
const stocks = {
  server_realms: { default: 1_000 },
  server_devices: { default: 2_000_000 },
  realm_devices: { default: 1_000_000 },
  account_devices: { default: 20 },
} as const satisfies Record<string, Stock>;

export type RateName = keyof typeof rates;
export type StockName = keyof typeof stocks;
export type QuotaName = RateName | StockName;
/** Infinity: unlimited. */
export type Quotas = Readonly<Record<QuotaName, number>>;

export const quotaNames = [...Object.keys(rates), ...Object.keys(stocks)] as readonly QuotaName[];

/** The quotas without values set by the operator. */
export const defaultQuotas: Quotas = Object.fromEntries(
  Object.entries({ ...rates, ...stocks }).map(([name, quota]) => [name, quota.default]),
) as Record<QuotaName, number>;

/** The values that the operator has set, for all servers or for one. Null: unlimited. */
export type QuotaChanges = Readonly<Partial<Record<QuotaName, number | null>>>;

/** Such values as the database has them, perhaps of names that a newer bouncer has written. */
export type StoredQuotas = Readonly<Record<string, number | null>>;

export const changedQuotas = (quotas: Quotas, changes: StoredQuotas): Quotas => ({
  ...quotas,
  ...Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [name, value ?? Number.POSITIVE_INFINITY]),
  ),
});
