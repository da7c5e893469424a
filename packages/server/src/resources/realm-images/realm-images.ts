import { badRequest } from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { LockedChange } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { personOf } from '../../engine/turns.ts';
import type { Images } from '../../images/images.ts';
import { type Rendition, squareOf } from '../../images/rendition.ts';
import type { RealmImage, RealmImageKind } from '../../model/realm-images/image-urls.ts';
import * as queries from '../../model/realm-images/queries.ts';

const icon = squareOf(100, { format: 'png', animated: false });
const logo: Rendition = { width: 800, height: 100, fit: 'inside', format: 'png', animated: false };

const logoKind = ({ night }: { readonly night: boolean }) => (night ? 'night_logo' : 'logo');

const handlers: Handlers<'realmImages'> = {
  icon: async ({ realm, db }) => ({ url: (await queries.ofRealm(db, realm)).icon.url }),

  async setIcon({ app, file, change, before }) {
    if (!file) throw badRequest('You must upload exactly one icon.');
    const bytes = await resized(app.images, { file, user: before.user }, icon);
    const { url } = await change((call) => store(call, { kind: 'icon', bytes }));
    return { icon_url: url };
  },

  async removeIcon(call) {
    return { icon_url: (await remove(call, 'icon')).url };
  },

  logo: async ({ realm, params, db }) => ({
    url: (await queries.ofRealm(db, realm))[logoKind(params)].url,
  }),

  async setLogo({ app, params, file, change, before }) {
    if (!file) throw badRequest('You must upload exactly one logo.');
    const bytes = await resized(app.images, { file, user: before.user }, logo);
    await change((call) => store(call, { kind: logoKind(params), bytes }));
    return {};
  },

  async removeLogo(call) {
    await remove(call, logoKind(call.params));
    return {};
  },
};

export const realmImages: Resource<'realmImages'> = { handlers };

async function resized(
  images: Images,
  { file: bytes, user }: { readonly file: Uint8Array; readonly user: User },
  rendition: Rendition,
): Promise<Buffer> {
  const [image] = (await images.resize({ bytes, person: personOf(user) }, [rendition])).images;
  if (!image) throw new Error('The image was not rendered');
  return image.bytes;
}

interface RealmChange extends LockedChange<'realm'> {
  readonly realm: Realm;
}

async function store(
  call: RealmChange,
  image: { readonly kind: RealmImageKind; readonly bytes: Buffer },
): Promise<RealmImage> {
  await queries.replace(call.db, call.realm.id, image);
  return announce(call, image.kind);
}

/** Emits nothing if there is no uploaded image. */
async function remove(call: RealmChange, kind: RealmImageKind): Promise<RealmImage> {
  const { db, realm } = call;
  return (await queries.remove(db, realm.id, kind))
    ? announce(call, kind)
    : (await queries.ofRealm(db, realm))[kind];
}

async function announce(
  { db, emit, realm }: RealmChange,
  kind: RealmImageKind,
): Promise<RealmImage> {
  const image = (await queries.ofRealm(db, realm))[kind];
  const data = { [`${kind}_url`]: image.url, [`${kind}_source`]: image.source };
  emit({ type: 'realm', op: 'update_dict', property: kind, data }, EVERYBODY);
  return image;
}
