import { z } from 'zod';

/** The provider that a device's token is from. */
export const DeviceKind = z.enum(['apns', 'fcm', 'webpush']);
export type DeviceKind = z.infer<typeof DeviceKind>;
