export const strings = {
  waiting: (count: number) => `${count} new`,
  filter: 'Filter',
  clear: 'Clear the filter',
  unknown: (names: string, known: string) => `There is no ${names}. Known: ${known}.`,
  filterBy: (term: string) => `Show only ${term}`,
  pause: 'Pause',
  resume: 'Resume',
  paused: (age: string) => `Paused, last event ${age} ago`,
  next: 'Next row',
  before: 'Row before',
  focusFilter: 'Filter',
  pauseKey: 'Pause or resume',
};
