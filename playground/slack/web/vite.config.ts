import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../../../dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
  },
});
