module.exports = {
  testMatch: ['**/tests/*.jest.cjs'],
  setupFilesAfterEnv: ['traceability-graphql-gateway/testing/jest'],
};
