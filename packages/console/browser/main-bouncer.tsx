import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import { render } from 'preact';

import { showWholeTexts } from './controls/whole-text.ts';
import { followLinks } from './navigation/location.ts';
import { Lazy } from './shell/lazy.tsx';

const load = async () => (await import('./bouncer/standalone.tsx')).Standalone;

followLinks();
showWholeTexts();
const place = document.getElementById('console');
if (place) render(<Lazy load={load} props={{}} />, place);
