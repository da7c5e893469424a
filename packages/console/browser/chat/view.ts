/** The conversation or list that the message pane shows. */
export type View =
  | { readonly kind: 'all' }
  | { readonly kind: 'mentions' }
  | { readonly kind: 'starred' }
  | { readonly kind: 'channel'; readonly channel: number }
  | { readonly kind: 'topic'; readonly channel: number; readonly topic: string }
  /** The other participants; oneself alone for notes to self. */
  | { readonly kind: 'direct'; readonly users: readonly number[] }
  | { readonly kind: 'search'; readonly text: string };

/** The view of the path after `/console/chat/`; undefined before one is chosen. */
export function viewOf([kind, id = '', name]: readonly string[]): View | undefined {
  if (kind === 'all' || kind === 'mentions' || kind === 'starred') return { kind };
  if (kind === 'channel' && /^\d+$/.test(id))
    return name === undefined
      ? { kind, channel: Number(id) }
      : { kind: 'topic', channel: Number(id), topic: name === '~' ? '' : name };
  if (kind === 'direct' && /^\d+(,\d+)*$/.test(id))
    return { kind, users: id.split(',').map(Number) };
  if (kind === 'search') return { kind, text: id };
  return undefined;
}

/** The path of a view after `/console/chat/`. */
export function pathOf(view: View): readonly string[] {
  switch (view.kind) {
    case 'channel':
      return ['channel', String(view.channel)];
    case 'topic':
      // A path has no empty segment.
      return ['channel', String(view.channel), view.topic === '' ? '~' : view.topic];
    case 'direct':
      return ['direct', view.users.toSorted((a, b) => a - b).join(',')];
    case 'search':
      return ['search', view.text];
    default:
      return [view.kind];
  }
}
