import '@fontsource/lato/400.css';
import '@fontsource/lato/400-italic.css';
import '@fontsource/lato/700.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { ConnectionProvider, connect } from './connection/connection.js';
import { storedPerson } from './parts/settings.js';
import './styles/index.css';

const address = new URL('page/socket', location.href);
address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
address.hash = '';
const connection = connect(address.href, storedPerson);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element "root".');
// Messages and charts are as high as their text needs, so the font comes first.
await Promise.allSettled(['15px Lato', 'bold 15px Lato'].map((font) => document.fonts.load(font)));
createRoot(root).render(
  <StrictMode>
    <ConnectionProvider value={connection}>
      <App />
    </ConnectionProvider>
  </StrictMode>,
);
