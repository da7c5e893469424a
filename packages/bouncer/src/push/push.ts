import type { Resource } from '../app.ts';
import { notify } from './notify.ts';
import { register } from './register.ts';

/** Devices, and notifications for them. */
export const push: Resource<'push'> = { register, notify };
