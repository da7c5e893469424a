import type { InitialState } from '@bellhop/protocol';

import { viewOfFragment } from './fragments.ts';
import { pathOf, type View } from './view.ts';

export interface SavedView {
  readonly fragment: string;
  readonly name: string;
  readonly view: View;
}

/** The navigation views with a name that the user has pinned, as far as the console can show them. */
export const savedViews = ({ navigation_views }: InitialState): readonly SavedView[] =>
  (navigation_views ?? []).flatMap(({ fragment, name, is_pinned }) => {
    const view = is_pinned && name !== null ? viewOfFragment(fragment) : undefined;
    return view && name !== null ? [{ fragment, name, view }] : [];
  });

/** The saved view that shows the same messages. */
export const savedAs = (state: InitialState, view: View): SavedView | undefined =>
  savedViews(state).find((one) => pathOf(one.view).join('/') === pathOf(view).join('/'));
