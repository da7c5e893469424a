import type { InspectorProps } from '../page.ts';
import type { AnyChannel } from './channels-of.ts';

export type OpenChannelProps = InspectorProps & { readonly channel: AnyChannel };
