const project = (platform, tests) => ({
  displayName: platform,
  preset: '@react-native/jest-preset',
  haste: { defaultPlatform: platform, platforms: ['android', 'ios', 'native'] },
  setupFiles: ['<rootDir>/device/install.ts'],
  setupFilesAfterEnv: ['<rootDir>/tests/patience.ts'],
  testMatch: [`<rootDir>/tests/${tests}.test.{ts,tsx}`],
  moduleNameMapper: { '^expo-(crypto|task-manager|background-task)$': '<rootDir>/device/expo.ts' },
  // Packages of modules of the language, which Jest 29 does not load.
  transformIgnorePatterns: [
    'node_modules/(?!(@react-native|react-native|@react-native-(community|async-storage)|@testing-library)/)',
  ],
});

// The platforms differ in how they send requests and files.
module.exports = { projects: [project('android', '*'), project('ios', '{read,uploads}')], testTimeout: 60_000 };
