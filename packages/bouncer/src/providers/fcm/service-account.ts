import { z } from 'zod';

/** The fields of a service account's key file that sending needs. */
export const ServiceAccount = z.object({
  project_id: z.string().regex(/^[\w:.-]+$/),
  private_key_id: z.string().min(1),
  private_key: z.string().min(1),
  client_email: z.string().min(1),
  token_uri: z.url(),
});
export type ServiceAccount = z.output<typeof ServiceAccount>;
