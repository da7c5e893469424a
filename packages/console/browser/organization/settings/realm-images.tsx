import type { InitialState } from '@bellhop/protocol';

import { Button } from '../../controls/button.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { TextField } from '../../controls/field.tsx';
import { useAction } from '../../controls/use-action.ts';
import { IMAGE_TYPES } from '../frame/image-types.ts';
import type { PageProps } from '../page.ts';

const UPLOADED = 'U';

/** The icon and the logos of the organization. */
export function RealmImages({ account, state }: Pick<PageProps, 'account' | 'state'>) {
  const { realmImages } = account.client;
  return (
    <section class="org-settings wide" aria-label="Icon and logos">
      <h3>Icon and logos</h3>
      <div class="org-images">
        <ImageSetting
          label="Icon"
          hint="Up to 5 MiB. Cropped to 100 × 100 pixels."
          url={state.realm_icon_url}
          source={state.realm_icon_source}
          upload={(file) => realmImages.setIcon({}, { file })}
          remove={() => realmImages.removeIcon()}
        />
        <ImageSetting
          label="Logo"
          hint="Up to 5 MiB. Resized to fit 800 × 100 pixels."
          url={state.realm_logo_url}
          source={state.realm_logo_source}
          upload={(file) => realmImages.setLogo({ night: false }, { file })}
          remove={() => realmImages.removeLogo({ night: false })}
        />
        <ImageSetting
          label="Logo for dark theme"
          hint="Up to 5 MiB. Resized to fit 800 × 100 pixels."
          url={state.realm_night_logo_url}
          source={state.realm_night_logo_source}
          upload={(file) => realmImages.setLogo({ night: true }, { file })}
          remove={() => realmImages.removeLogo({ night: true })}
        />
      </div>
    </section>
  );
}

interface ImageSettingProps {
  readonly label: string;
  readonly hint: string;
  readonly url: InitialState['realm_icon_url'];
  readonly source: string | undefined;
  readonly upload: (file: File) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

/** An image that is replaced when the user chooses a file. */
function ImageSetting({ label, hint, url, source, upload, remove }: ImageSettingProps) {
  const { error, isBusy, run } = useAction();
  return (
    <div class="org-setting org-image">
      {source === UPLOADED && url !== undefined && <img src={url} alt={label} />}
      <TextField
        label={label}
        hint={hint}
        type="file"
        accept={IMAGE_TYPES}
        disabled={isBusy.value}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) run(upload(file), () => (currentTarget.value = ''));
        }}
      />
      {source === UPLOADED && (
        <Button icon="trash" isBusy={isBusy.value} onClick={() => run(remove())}>
          Remove {label}
        </Button>
      )}
      <ErrorNotice error={error.value} />
    </div>
  );
}
