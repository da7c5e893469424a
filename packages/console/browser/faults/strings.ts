import type { FaultGroup } from '@bellhop/protocol';

export const strings = {
  title: 'Faults of the providers',
  lead: 'A fault makes a simulated provider fail. It strikes the requests that come after it was switched on.',
  none: 'No fault is on: every provider works.',
  provider: 'Provider',
  providers: { apns: 'APNs', fcm: 'FCM', webpush: 'Web Push', oauth: "Google's token endpoint" },
  kind: 'Fault',
  findKind: 'Find a fault',
  findHint: 'words, a status, a reason',
  noKind: 'No fault of this provider has these words.',
  groups: {
    busy: 'The provider is busy: the bouncer tries again',
    phone: 'The phone or its token',
    credentials: 'Credentials of the sender',
    request: 'The request',
    connection: 'The connection',
    time: 'Time',
    answer: 'Any other answer',
  } satisfies Record<FaultGroup, string>,
  phone: 'Phone',
  everyPhone: 'Every phone',
  details: {
    status: { label: 'Status', hint: 'HTTP, from 400 to 599' },
    reason: { label: 'Reason', hint: 'the word in the answer' },
    retry_after: { label: 'Retry-After', hint: 'seconds; empty: none' },
    ms: { label: 'Delay', hint: 'milliseconds' },
    times: { label: 'Requests', hint: 'how many it strikes; empty: all' },
    probability: { label: 'Share', hint: 'from 0 to 1 of these requests' },
  },
  switchOn: 'Switch on',
  switchOff: (fault: string) => `Switch off ${fault}`,
  allOff: 'Switch all off',
  left: (count: number | null) => (count === null ? 'every request' : `${count} left`),
  share: (probability: number) => `${Math.round(probability * 100)} %`,
  on: 'Switched on',
};

/** The groups in the order of the list. */
export const groups = Object.keys(strings.groups) as FaultGroup[];
