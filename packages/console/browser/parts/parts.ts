import type { Part } from './part.ts';

/** The parts of the console in the order of the rail. A part is a folder and a line here. */
export const parts: readonly Part[] = [
  {
    id: 'chat',
    title: 'Chat',
    icon: 'message-square',
    key: 'c',
    load: async () => (await import('../chat/chat.tsx')).Chat,
    palette: async () => (await import('../chat/palette-of-chat.ts')).chatItems,
  },
  {
    id: 'bots',
    title: 'Bots',
    icon: 'bot',
    key: 'b',
    load: async () => (await import('../bots/bots.tsx')).Bots,
    palette: async () => (await import('../bots/bots-palette.ts')).botItems,
  },
  {
    id: 'phones',
    title: 'Phones',
    icon: 'smartphone',
    key: 'p',
    load: async () => (await import('../phones/phones.tsx')).Phones,
  },
  {
    id: 'bouncer',
    title: 'Bouncer',
    icon: 'radio',
    key: 'u',
    load: async () => (await import('../bouncer/bouncer.tsx')).Bouncer,
  },
  {
    id: 'organization',
    title: 'Organization',
    icon: 'building',
    key: 'o',
    load: async () => (await import('../organization/organization.tsx')).Organization,
    palette: async () => (await import('../organization/shown-pages.ts')).organizationItems,
  },
  {
    id: 'api',
    title: 'API',
    icon: 'code',
    key: 'a',
    load: async () => (await import('../api/api.tsx')).Api,
  },
];
