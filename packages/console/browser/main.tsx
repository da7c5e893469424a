import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { effect } from '@preact/signals';
import { render } from 'preact';

import { Toasts } from './controls/toasts.tsx';
import { showWholeTexts } from './controls/whole-text.ts';
import { keepAccountsOpen } from './live/accounts.ts';
import { followLinks } from './navigation/location.ts';
import { serverKind } from './session/server-kind.ts';
import { accounts, startSession } from './session/session.ts';
import { SignInPage } from './session/sign-in.tsx';
import { Loading } from './shell/part-view.tsx';
import { Shell } from './shell/shell.tsx';
import { prepareServerHtml } from './text/server-html.ts';

function Console() {
  if (accounts.value === undefined) return <Loading />;
  return (
    <>
      {accounts.value.length === 0 ? <SignInPage /> : <Shell />}
      <Toasts />
    </>
  );
}

followLinks();
showWholeTexts();
effect(keepAccountsOpen);
void serverKind.refresh();
const place = document.getElementById('console');
if (place) render(<Console />, place);
await prepareServerHtml();
await startSession();
