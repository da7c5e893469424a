import { Dialog } from '../controls/dialog.tsx';
import { keyGroups } from '../navigation/keys.ts';

/** The keys of everything that is on the page now. */
export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose} class="keys-dialog">
    {keyGroups.value.map(({ title, bindings }) => (
      <section key={title}>
        <h3>{title}</h3>
        <dl class="keys">
          {bindings.map(({ keys, label }) => (
            <div key={keys} class="row">
              <dt class="grow">{label}</dt>
              <dd>
                {keys.split(' ').map((press) => (
                  <kbd key={press} class="kbd">
                    {press.replace('$mod', 'Ctrl').replace('Shift+?', '?').replace('+', ' ')}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Dialog>
);
