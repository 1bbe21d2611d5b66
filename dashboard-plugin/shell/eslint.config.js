import js from '@eslint/js';
import globals from 'globals';

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2025, sourceType: 'module' },
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  { files: ['src/**'], languageOptions: { globals: globals.browser } },
  {
    files: ['test/**', 'build.mjs', 'eslint.config.js'],
    languageOptions: { globals: globals.node },
  },
];
