import type { ContractFixture } from '../../contract.fixture.ts';
import { imageOf } from '../../images/images.fixture.ts';

const png = new Uint8Array(await imageOf('png', 10, 10));
const file = () => new File([png], 'a.png');
const text = () => new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.png');

export const fixture: ContractFixture = {
  declared: {
    'POST /realm/icon BAD_IMAGE': ({ chat: { people } }) =>
      people.desdemona.client.realmImages.setIcon({}, { file: text() }),
    'POST /realm/logo BAD_IMAGE': ({ chat: { people } }) =>
      people.desdemona.client.realmImages.setLogo({}, { file: text() }),
    'POST /realm/icon realm': ({ chat: { people } }) =>
      people.desdemona.client.realmImages.setIcon({}, { file: file() }),
    'POST /realm/logo realm': ({ chat: { people } }) =>
      people.desdemona.client.realmImages.setLogo({}, { file: file() }),
    'DELETE /realm/icon realm': async ({ chat: { people } }) => {
      const { setIcon, removeIcon } = people.desdemona.client.realmImages;
      await setIcon({}, { file: file() });
      await removeIcon();
    },
    'DELETE /realm/logo realm': async ({ chat: { people } }) => {
      const { setLogo, removeLogo } = people.desdemona.client.realmImages;
      await setLogo({}, { file: file() });
      await removeLogo();
    },
  },
  changes: {
    'the icon and the logos uploaded, replaced and removed': async ({ people: { iago } }) => {
      const { setIcon, removeIcon, setLogo, removeLogo } = iago.client.realmImages;
      await setIcon({}, { file: file() });
      await setIcon({}, { file: file() });
      await setLogo({}, { file: file() });
      await setLogo({ night: true }, { file: file() });
      await removeLogo({ night: true });
      await removeIcon();
    },
  },
};
