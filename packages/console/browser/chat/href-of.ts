import { href } from '../navigation/location.ts';
import { pathOf, type View } from './view.ts';

/** The address of a view. */
export const hrefOf = (view: View, query: Readonly<Record<string, string | undefined>> = {}) =>
  href(['chat', ...pathOf(view)], query);
