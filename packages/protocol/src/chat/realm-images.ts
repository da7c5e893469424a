import { z } from 'zod';

import { Url } from '../values/fields.ts';
import { MAX_REALM_IMAGE_MIB } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';
import { RealmEvent } from './realms/realm-events.ts';

const night = z.boolean().default(false).meta({ description: 'The logo for dark themes' });
const image = `A multipart form with one file: a PNG, JPEG, GIF, WebP or AVIF image of at most ${MAX_REALM_IMAGE_MIB} MiB.`;
const get = { access: 'user', redirects: true, result: { url: Url } } as const;
const set = {
  access: 'admin',
  fileLimit: MAX_REALM_IMAGE_MIB * 1_048_576,
  errors: ['BAD_IMAGE'],
  emits: [RealmEvent],
  steps: true,
} as const;
const remove = { access: 'admin', emits: [RealmEvent] } as const;

/** The icon and the logos of the realm. Their URLs are in the section `realm` of the state. */
export const realmImages = resource({
  endpoints: {
    icon: endpoint('GET /realm/icon', {
      summary: 'Get the icon of the organization',
      description: 'Redirects to the image.',
      ...get,
    }),

    setIcon: endpoint('POST /realm/icon', {
      summary: 'Upload the icon of the organization',
      description: `${image} It is cut to a square of 100 x 100 pixels.`,
      result: { icon_url: Url },
      ...set,
    }),

    removeIcon: endpoint('DELETE /realm/icon', {
      summary: 'Remove the uploaded icon of the organization',
      result: { icon_url: Url },
      ...remove,
    }),

    logo: endpoint('GET /realm/logo', {
      summary: 'Get the logo of the organization',
      description: 'Redirects to the image.',
      params: { night },
      ...get,
    }),

    setLogo: endpoint('POST /realm/logo', {
      summary: 'Upload the logo of the organization',
      description: `${image} It is reduced to at most 800 x 100 pixels.`,
      params: { night },
      ...set,
    }),

    removeLogo: endpoint('DELETE /realm/logo', {
      summary: 'Remove the uploaded logo of the organization',
      params: { night },
      ...remove,
    }),
  },
});
