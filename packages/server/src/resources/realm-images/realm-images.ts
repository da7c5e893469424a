import { badRequest } from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers, Resource } from '../../engine/resource.ts';
import { personOf } from '../../engine/turns.ts';
import type { Images } from '../../images/images.ts';
import { type Rendition, squareOf } from '../../images/rendition.ts';
import type { RealmImage, RealmImageKind } from '../../model/realm-images/image-urls.ts';
import * as queries from '../../model/realm-images/queries.ts';
import { lockRealmAsAdmin, type RealmCaller } from '../../model/users/lock-realm-as.ts';

const icon = squareOf(100, { format: 'png', animated: false });
const logo: Rendition = { width: 800, height: 100, fit: 'inside', format: 'png', animated: false };

const logoKind = ({ night }: { readonly night: boolean }) => (night ? 'night_logo' : 'logo');

const handlers: Handlers<'realmImages'> = {
  icon: async ({ realm, db }) => ({ url: (await queries.ofRealm(db, realm)).icon.url }),

  async setIcon({ app, file, change, ...caller }) {
    if (!file) throw badRequest('You must upload exactly one icon.');
    const bytes = await resized(app.images, { file, user: caller.user }, icon);
    const { url } = await change((inside) => store(inside, caller, { kind: 'icon', bytes }));
    return { icon_url: url };
  },

  async removeIcon(call) {
    return { icon_url: (await remove(call, 'icon')).url };
  },

  logo: async ({ realm, params, db }) => ({
    url: (await queries.ofRealm(db, realm))[logoKind(params)].url,
  }),

  async setLogo({ app, params, file, change, ...caller }) {
    if (!file) throw badRequest('You must upload exactly one logo.');
    const bytes = await resized(app.images, { file, user: caller.user }, logo);
    await change((inside) => store(inside, caller, { kind: logoKind(params), bytes }));
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

type RealmChange = Pick<Change<'realm'>, 'db' | 'emit'>;

async function store(
  change: RealmChange,
  caller: RealmCaller,
  image: { readonly kind: RealmImageKind; readonly bytes: Buffer },
): Promise<RealmImage> {
  const { realm } = await lockRealmAsAdmin(change.db, caller);
  await queries.replace(change.db, realm.id, image);
  return announce(change, realm, image.kind);
}

/** Emits nothing if there is no uploaded image. */
async function remove(call: RealmChange & RealmCaller, kind: RealmImageKind): Promise<RealmImage> {
  const { db } = call;
  const { realm } = await lockRealmAsAdmin(db, call);
  return (await queries.remove(db, realm.id, kind))
    ? announce(call, realm, kind)
    : (await queries.ofRealm(db, realm))[kind];
}

async function announce(
  { db, emit }: RealmChange,
  realm: Realm,
  kind: RealmImageKind,
): Promise<RealmImage> {
  const image = (await queries.ofRealm(db, realm))[kind];
  const data = { [`${kind}_url`]: image.url, [`${kind}_source`]: image.source };
  emit({ type: 'realm', op: 'update_dict', property: kind, data }, EVERYBODY);
  return image;
}
