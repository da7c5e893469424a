import type { Resource } from '../../engine/resource.ts';
import { confirmEmailChange } from './confirm-email-change.ts';

export const emailChanges: Resource<'emailChanges'> = { handlers: { confirm: confirmEmailChange } };
