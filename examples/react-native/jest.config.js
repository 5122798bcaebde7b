const project = (platform) => ({
  displayName: platform,
  preset: '@react-native/jest-preset',
  haste: { defaultPlatform: platform, platforms: ['android', 'ios', 'native'] },
  setupFiles: ['<rootDir>/device/install.ts'],
  setupFilesAfterEnv: ['<rootDir>/tests/patience.ts'],
  testMatch: ['<rootDir>/tests/*.test.{ts,tsx}'],
  moduleNameMapper: { '^expo-(crypto|task-manager|background-task)$': '<rootDir>/device/expo.ts' },
  // Packages of modules of the language, which Jest 29 does not load.
  transformIgnorePatterns: [
    'node_modules/(?!(@react-native|react-native|@react-native-(community|async-storage)|@testing-library)/)',
  ],
});

module.exports = { projects: [project('android'), project('ios')], testTimeout: 60_000 };
