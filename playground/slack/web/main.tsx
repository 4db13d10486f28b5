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
createRoot(root).render(
  <StrictMode>
    <ConnectionProvider value={connection}>
      <App />
    </ConnectionProvider>
  </StrictMode>,
);
