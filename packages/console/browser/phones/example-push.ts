import type { HopSpan, SealedSpan } from './hop-spans.ts';

/** A push that a provider takes at the second attempt, for a page that has none of its own. */
export const examplePush: { readonly spans: readonly HopSpan[]; readonly sealed: SealedSpan } = {
  spans: [
    { hop: 'server', from: 0, to: 40, label: 'encrypted', tone: 'work' },
    { hop: 'server', from: 40, to: 1280, label: 'sending', tone: 'work' },
    { hop: 'bouncer', from: 70, to: 1250, label: 'first attempt', tone: 'work' },
    { hop: 'link', from: 90, to: 150, label: '1: 429', tone: 'bad' },
    { hop: 'link', from: 1160, to: 1230, label: '2: 200', tone: 'ok' },
    { hop: 'provider', from: 120, to: 120, label: 'TooManyRequests', tone: 'bad' },
    { hop: 'provider', from: 1200, to: 1200, label: 'accepted', tone: 'ok' },
    { hop: 'phone', from: 1240, to: 1240, label: 'opened', tone: 'ok' },
  ],
  sealed: { from: 40, to: 1240 },
};
