import type { Resource } from '../app.ts';
import { notify } from './notify.ts';
import { register } from './register.ts';

/** Registers devices and sends notifications to them. */
export const push: Resource<'push'> = { register, notify };
