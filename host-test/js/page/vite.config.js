import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  resolve: {
    alias: { 'agent-todo': fileURLToPath(new URL('../dist/index.js', import.meta.url)) },
  },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // The policy of the page allows no inline script.
    modulePreload: false,
    assetsInlineLimit: 0,
  },
  worker: {
    // A worker from a blob has the page's policy; one from a file would have none.
    format: 'iife',
  },
});
