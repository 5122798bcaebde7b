export default {
  testMatch: ['<rootDir>/suite.js'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': './strip-types.js' },
};
