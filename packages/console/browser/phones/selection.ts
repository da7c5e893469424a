import { computed } from '@preact/signals';

import { href, path, query } from '../navigation/location.ts';

/**
 * The object in the address of the part: a simulated phone, or a device of another program, by its
 * push_account_id or, of level 468 and later, by its device_id.
 */
export type Selection =
  | { readonly kind: 'phone'; readonly name: string }
  | { readonly kind: 'device' | 'client-device'; readonly id: string };

export const selection = computed((): Selection | undefined => {
  const [, kind, name = ''] = path.value;
  if (kind === 'phone') return { kind, name };
  return kind === 'device' || kind === 'client-device' ? { kind, id: name } : undefined;
});
/** The name of the page about all devices, in the path in place of one. */
export const OVERVIEW = 'overview';

/** The push that the inspector shows. */
export const shownPush = computed(() => query.value['push']);

export const hrefOf = (to: Selection, push?: string): string =>
  href(['phones', to.kind, to.kind === 'phone' ? to.name : to.id], push ? { push } : {});
