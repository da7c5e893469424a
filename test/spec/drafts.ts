import { names, type SpecSection } from './spec-section.ts';

export const drafts: readonly SpecSection[] = [
  {
    section: 'Edit a draft',
    route: 'PATCH /drafts/{draft_id}',
    parameters: names('draft_id draft'),
    errors: ['BAD_REQUEST: Draft does not exist'],
    events: ['drafts'],
    rules: {
      "The user's other clients get the edit by an event":
        'drafts/drafts.test.ts > reaches all clients of its user, and nobody else',
      'A draft that is created or edited has no ID': 'drafts/drafts.test.ts > with an ID',
      'A channel draft has exactly one channel': 'drafts/drafts.test.ts > with two channels',
      'Topic and content have no null bytes':
        'drafts/drafts.test.ts > with null bytes in topic or content',
      'The server fills in the time of the last edit':
        'drafts/drafts.test.ts > reaches all clients of its user, and nobody else',
      'A draft of another user is answered like a missing one':
        'drafts/drafts.test.ts > of another user is answered like a missing one: 404 with BAD_REQUEST',
      'Only the author of a draft may change it':
        'test/permissions.test.ts > roles without a setting',
      'Without synchronization drafts are refused':
        'drafts/drafts.test.ts > without synchronization every call is refused and the state is empty',
    },
  },
];
