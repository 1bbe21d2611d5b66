import { defineConfig } from 'vitest/config';

// Machines that run tests of clusters beside these are ten times slower.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } });
