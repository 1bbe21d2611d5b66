import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['results/'] },
  js.configs.recommended,
  {
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: 'module',
      // functions given to evaluate() run in the browser
      globals: { ...globals.node, ...globals.browser },
    },
    rules: { eqeqeq: 'error', 'no-var': 'error', 'prefer-const': 'error' },
  },
];
