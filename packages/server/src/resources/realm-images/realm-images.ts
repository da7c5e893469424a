import { badRequest } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import type { Images } from '../../images/images.ts';
import { type Rendition, squareOf } from '../../images/rendition.ts';
import * as users from '../users/queries.ts';
import type { RealmImage } from './image-urls.ts';
import * as queries from './queries.ts';
import type { RealmImageKind } from './tables.ts';

const icon = squareOf(100, { format: 'png', animated: false });
const logo: Rendition = { width: 800, height: 100, fit: 'inside', format: 'png', animated: false };

const logoKind = ({ night }: { readonly night: boolean }) => (night ? 'night_logo' : 'logo');

const handlers: Handlers<'realmImages'> = {
  icon: async ({ realm, db }) => ({ url: (await queries.ofRealm(db, realm)).icon.url }),

  async setIcon({ realm, app, file, change }) {
    if (!file) throw badRequest('You must upload exactly one icon.');
    const bytes = await resized(app.images, file, icon);
    const { url } = await change((inside) => store(inside, realm, { kind: 'icon', bytes }));
    return { icon_url: url };
  },

  async removeIcon({ realm, db, emit }) {
    return { icon_url: (await remove({ db, emit }, realm, 'icon')).url };
  },

  logo: async ({ realm, params, db }) => ({
    url: (await queries.ofRealm(db, realm))[logoKind(params)].url,
  }),

  async setLogo({ realm, app, params, file, change }) {
    if (!file) throw badRequest('You must upload exactly one logo.');
    const bytes = await resized(app.images, file, logo);
    await change((inside) => store(inside, realm, { kind: logoKind(params), bytes }));
    return {};
  },

  async removeLogo({ realm, params, db, emit }) {
    await remove({ db, emit }, realm, logoKind(params));
    return {};
  },
};

export const realmImages: Resource<'realmImages'> = { handlers };

async function resized(images: Images, file: Uint8Array, rendition: Rendition): Promise<Buffer> {
  const [image] = (await images.resize(file, [rendition])).images;
  if (!image) throw new Error('The image was not rendered');
  return image.bytes;
}

type RealmChange = Pick<Change<'realm'>, 'db' | 'emit'>;

async function store(
  change: RealmChange,
  realm: Realm,
  image: { readonly kind: RealmImageKind; readonly bytes: Buffer },
): Promise<RealmImage> {
  await queries.replace(change.db, realm.id, image);
  return announce(change, realm, image.kind);
}

/** Emits nothing if there is no uploaded image. */
async function remove(
  change: RealmChange,
  realm: Realm,
  kind: RealmImageKind,
): Promise<RealmImage> {
  return (await queries.remove(change.db, realm.id, kind))
    ? announce(change, realm, kind)
    : (await queries.ofRealm(change.db, realm))[kind];
}

async function announce(
  { db, emit }: RealmChange,
  realm: Realm,
  kind: RealmImageKind,
): Promise<RealmImage> {
  const image = (await queries.ofRealm(db, realm))[kind];
  const data = { [`${kind}_url`]: image.url, [`${kind}_source`]: image.source };
  emit(
    { type: 'realm', op: 'update_dict', property: kind, data },
    await users.activeIds(db, realm.id),
  );
  return image;
}
