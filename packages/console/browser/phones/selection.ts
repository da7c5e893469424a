import type { SandboxPhone } from '@bellhop/protocol';
import { computed } from '@preact/signals';

import { href, path, query } from '../navigation/location.ts';

/** The object in the address of the part: a simulated phone, or a device of another program. */
export type Selection =
  | { readonly kind: 'phone'; readonly name: string }
  | { readonly kind: 'device'; readonly id: string };

export const selection = computed((): Selection | undefined => {
  const [, kind, name = ''] = path.value;
  if (kind === 'phone') return { kind, name };
  return kind === 'device' ? { kind, id: name } : undefined;
});
/** The push that the inspector shows. */
export const shownPush = computed(() => query.value['push']);

export const hrefOf = (to: Selection, push?: string): string =>
  href(['phones', to.kind, to.kind === 'phone' ? to.name : to.id], push ? { push } : {});

/** A phone, or a device that only its account number names. */
export interface Target {
  readonly name: string;
  readonly push_account_id: string;
  readonly phone: SandboxPhone | undefined;
}
